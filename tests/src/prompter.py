"""A person who never answers: it takes the keychain's question for a password and leaves it on the screen.

The keychain asks the owner of org.gnome.keyring.SystemPrompter to show its question; this one says yes and stays there.
"""
import gi

gi.require_version("Gio", "2.0")
from gi.repository import Gio, GLib

INTERFACE = Gio.DBusNodeInfo.new_for_xml(
    """<node><interface name="org.gnome.keyring.internal.Prompter">
    <method name="BeginPrompting"><arg type="o" direction="in"/></method>
    <method name="PerformPrompt"><arg type="o" direction="in"/><arg type="s" direction="in"/>
    <arg type="a{sv}" direction="in"/><arg type="s" direction="in"/></method>
    <method name="StopPrompting"><arg type="o" direction="in"/></method>
    </interface></node>"""
).interfaces[0]


def accept(_bus, _sender, _path, _interface, _method, _arguments, invocation):
    invocation.return_value(None)


def acquired(bus, _name):
    bus.register_object("/org/gnome/keyring/Prompter", INTERFACE, accept, None, None)


Gio.bus_own_name(
    Gio.BusType.SESSION,
    "org.gnome.keyring.SystemPrompter",
    Gio.BusNameOwnerFlags.NONE,
    acquired,
    lambda *_: print("ready", flush=True),
    None,
)
GLib.MainLoop().run()
