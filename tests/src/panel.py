"""The panel of a desktop: a tray that shows signs with their menus, and a place for messages.

It speaks the desktop's own protocols on the session bus (org.kde.StatusNotifierWatcher, com.canonical.dbusmenu and
org.freedesktop.Notifications). It prints one line of JSON for each message that is shown, and answers each line of its
input with one: "menu" lists what stands in the menu of the sign, "icon" names its picture, "press LABEL" presses an entry,
"open NUMBER" clicks on a message.
"""
import json
import sys

import gi

gi.require_version("Gio", "2.0")
from gi.repository import Gio, GLib

WATCHER = """<node><interface name="org.kde.StatusNotifierWatcher">
<method name="RegisterStatusNotifierItem"><arg type="s" direction="in"/></method>
<method name="RegisterStatusNotifierHost"><arg type="s" direction="in"/></method>
<property name="RegisteredStatusNotifierItems" type="as" access="read"/>
<property name="IsStatusNotifierHostRegistered" type="b" access="read"/>
<property name="ProtocolVersion" type="i" access="read"/>
<signal name="StatusNotifierItemRegistered"><arg type="s"/></signal>
<signal name="StatusNotifierHostRegistered"/>
</interface></node>"""
MESSAGES = """<node><interface name="org.freedesktop.Notifications">
<method name="Notify"><arg type="s" direction="in"/><arg type="u" direction="in"/><arg type="s" direction="in"/>
<arg type="s" direction="in"/><arg type="s" direction="in"/><arg type="as" direction="in"/><arg type="a{sv}" direction="in"/>
<arg type="i" direction="in"/><arg type="u" direction="out"/></method>
<method name="CloseNotification"><arg type="u" direction="in"/></method>
<method name="GetCapabilities"><arg type="as" direction="out"/></method>
<method name="GetServerInformation"><arg type="s" direction="out"/><arg type="s" direction="out"/>
<arg type="s" direction="out"/><arg type="s" direction="out"/></method>
<signal name="ActionInvoked"><arg type="u"/><arg type="s"/></signal>
</interface></node>"""

bus = Gio.bus_get_sync(Gio.BusType.SESSION, None)
items = []
numbers = iter(range(1, 1_000_000))


def say(**words):
    print(json.dumps(words), flush=True)


def on_watcher(_bus, sender, _path, _interface, method, arguments, invocation):
    if method == "RegisterStatusNotifierItem":
        (given,) = arguments.unpack()
        items.append((sender, given if given.startswith("/") else "/StatusNotifierItem"))
    invocation.return_value(None)


def on_property(_bus, _sender, _path, _interface, name):
    return {
        "RegisteredStatusNotifierItems": GLib.Variant("as", [sender + path for sender, path in items]),
        "IsStatusNotifierHostRegistered": GLib.Variant("b", True),
        "ProtocolVersion": GLib.Variant("i", 0),
    }[name]


def on_message(_bus, _sender, _path, _interface, method, arguments, invocation):
    if method == "Notify":
        _app, replaced, _icon, title, body, actions, _hints, _timeout = arguments.unpack()
        number = replaced or next(numbers)
        say(event="message", number=number, replaced=replaced, title=title, body=body, actions=actions)
        invocation.return_value(GLib.Variant("(u)", (number,)))
    elif method == "GetCapabilities":
        invocation.return_value(GLib.Variant("(as)", (["actions", "body"],)))
    elif method == "GetServerInformation":
        invocation.return_value(GLib.Variant("(ssss)", ("panel", "tests", "1", "1.2")))
    else:
        invocation.return_value(None)


def ask(name, path, interface, method, arguments, answers):
    reply = bus.call_sync(name, path, interface, method, arguments, GLib.VariantType(answers), 0, 5_000, None)
    return reply.unpack()


def read_item(name):
    sender, path = items[-1]
    arguments = GLib.Variant("(ss)", ("org.kde.StatusNotifierItem", name))
    return sender, ask(sender, path, "org.freedesktop.DBus.Properties", "Get", arguments, "(v)")[0]


def read_menu():
    sender, path = read_item("Menu")
    arguments = GLib.Variant("(iias)", (0, -1, []))
    _revision, (_id, _properties, entries) = ask(sender, path, "com.canonical.dbusmenu", "GetLayout", arguments, "(u(ia{sv}av))")
    found = [(number, properties.get("label", "")) for number, properties, _below in entries]
    return sender, path, [(number, label.replace("_", "")) for number, label in found if label]


def obey(line):
    word, _, rest = line.strip().partition(" ")
    if word == "menu":
        say(event="menu", labels=[label for _number, label in read_menu()[2]] if items else None)
    elif word == "icon":
        say(event="icon", name=read_item("IconName")[1] if items else None)
    elif word == "press":
        sender, path, entries = read_menu()
        (number,) = [number for number, label in entries if label == rest]
        arguments = GLib.Variant("(isvu)", (number, "clicked", GLib.Variant("i", 0), 0))
        ask(sender, path, "com.canonical.dbusmenu", "Event", arguments, "()")
        say(event="pressed")
    elif word == "open":
        arguments = GLib.Variant("(us)", (int(rest), "default"))
        bus.emit_signal(None, "/org/freedesktop/Notifications", "org.freedesktop.Notifications", "ActionInvoked", arguments)
        say(event="opened")


def on_input(source, _condition):
    line = source.readline()
    if not line:
        return False
    try:
        obey(line)
    except (GLib.Error, ValueError, IndexError) as error:
        say(event="failed", why=str(error))
    return True


def serve(text, path, name, method, read):
    interface = Gio.DBusNodeInfo.new_for_xml(text).interfaces[0]
    bus.register_object(path, interface, method, read, None)
    Gio.bus_own_name_on_connection(bus, name, Gio.BusNameOwnerFlags.NONE, None, None)


serve(WATCHER, "/StatusNotifierWatcher", "org.kde.StatusNotifierWatcher", on_watcher, on_property)
serve(MESSAGES, "/org/freedesktop/Notifications", "org.freedesktop.Notifications", on_message, None)
GLib.io_add_watch(sys.stdin, GLib.IO_IN | GLib.IO_HUP, on_input)
GLib.idle_add(lambda: say(event="ready"))
GLib.MainLoop().run()
