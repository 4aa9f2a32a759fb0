#!/usr/bin/python3
"""Draws every icon the bundles need from the SVG files beside this script.

Run by hand when a drawing changes (packages python3-gi, gir1.2-gdkpixbuf-2.0, librsvg2-common); the results are committed, so
that a build needs none of these. ICO and ICNS are containers around PNG pictures, written here byte by byte.
"""
import pathlib
import struct

import gi

gi.require_version("GdkPixbuf", "2.0")
from gi.repository import GdkPixbuf

HERE = pathlib.Path(__file__).resolve().parent


def draw_png(svg: str, size: int) -> bytes:
    picture = GdkPixbuf.Pixbuf.new_from_file_at_size(str(HERE / svg), size, size)
    _, data = picture.save_to_bufferv("png", [], [])
    return bytes(data)


def pack_ico(sizes: list[int]) -> bytes:
    pictures = [(size, draw_png("easel.svg", size)) for size in sizes]
    header = struct.pack("<HHH", 0, 1, len(pictures))
    offset = len(header) + 16 * len(pictures)
    entries, body = b"", b""
    for size, picture in pictures:
        side = size % 256  # 256 is written as 0
        entries += struct.pack("<BBBBHHII", side, side, 0, 0, 1, 32, len(picture), offset + len(body))
        body += picture
    return header + entries + body


def pack_icns() -> bytes:
    kinds = {b"icp4": 16, b"icp5": 32, b"icp6": 64, b"ic07": 128, b"ic08": 256, b"ic09": 512, b"ic10": 1024,
             b"ic11": 32, b"ic12": 64, b"ic13": 256, b"ic14": 512}
    body = b""
    for kind, size in kinds.items():
        picture = draw_png("easel.svg", size)
        body += kind + struct.pack(">I", len(picture) + 8) + picture
    return b"icns" + struct.pack(">I", len(body) + 8) + body


def main() -> None:
    for name, size in {"32x32.png": 32, "64x64.png": 64, "128x128.png": 128, "128x128@2x.png": 256, "icon.png": 512}.items():
        (HERE / name).write_bytes(draw_png("easel.svg", size))
    for name in ["idle", "busy", "paused", "needs-you"]:
        (HERE / f"tray/{name}.png").write_bytes(draw_png(f"tray/{name}.svg", 64))
    (HERE / "icon.ico").write_bytes(pack_ico([16, 24, 32, 48, 64, 128, 256]))
    (HERE / "icon.icns").write_bytes(pack_icns())


if __name__ == "__main__":
    main()
