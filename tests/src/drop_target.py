"""Another program, into which files are dragged: a small window that takes file addresses (text/uri-list).

Arguments: its place on the display (x, y). It prints "ready" once it is shown, and one line of JSON, a list of paths, for
each drop.
"""
import json
import sys
import urllib.parse

import gi

gi.require_version("Gtk", "3.0")
gi.require_version("Gdk", "3.0")
from gi.repository import Gdk, Gtk

x, y = sys.argv[1:]


def say(word):
    print(word, flush=True)


def take(_window, context, _x, _y, data, _info, time):
    addresses = [urllib.parse.urlsplit(address) for address in data.get_uris()]
    say(json.dumps([urllib.parse.unquote(address.path) for address in addresses if address.scheme == "file"]))
    context.finish(True, False, time)


window = Gtk.Window(type=Gtk.WindowType.POPUP)
window.set_default_size(160, 160)
window.add(Gtk.Label(label="Drop here"))
window.drag_dest_set(Gtk.DestDefaults.ALL, [], Gdk.DragAction.COPY)
window.drag_dest_add_uri_targets()
window.connect("drag-data-received", take)
window.connect("map-event", lambda *_: say("ready"))
window.move(int(x), int(y))
window.show_all()
Gtk.main()
