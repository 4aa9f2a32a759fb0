"""Another program, from which files are dragged: a small window that offers file addresses (text/uri-list).

Arguments: its place on the display (x, y), then the paths. It prints "ready" once it is shown, "begun" when a drag
begins and, after it, "taken" where the other side took the files, else "refused".
"""
import pathlib
import sys

import gi

gi.require_version("Gtk", "3.0")
gi.require_version("Gdk", "3.0")
from gi.repository import Gdk, Gtk

x, y, *paths = sys.argv[1:]
refused = False


def say(word):
    print(word, flush=True)


def offer(_window, _context, data, _info, _time):
    data.set_uris([pathlib.Path(path).as_uri() for path in paths])


def fail(_window, _context, _result):
    global refused
    refused = True
    return False


window = Gtk.Window(type=Gtk.WindowType.POPUP)
window.set_default_size(160, 160)
window.add(Gtk.Label(label="Files"))
window.drag_source_set(Gdk.ModifierType.BUTTON1_MASK, [], Gdk.DragAction.COPY)
window.drag_source_add_uri_targets()
window.connect("drag-data-get", offer)
window.connect("drag-begin", lambda *_: say("begun"))
window.connect("drag-failed", fail)
window.connect("drag-end", lambda *_: say("refused" if refused else "taken"))
window.connect("map-event", lambda *_: say("ready"))
window.move(int(x), int(y))
window.show_all()
Gtk.main()
