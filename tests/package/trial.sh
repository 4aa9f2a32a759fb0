#!/bin/sh
# What a person does with the package, on a Debian that has nothing of Easel's: install it, start it from its menu
# entry, open one of its links, remove it. Runs as root inside a system of its own (`cargo xtask package --try`), writes
# a picture of the first screen to /opt/trial/, and ends with the first thing that is not as it should be.
set -eu

package=$1
pictures=/opt/trial
entry=/usr/share/applications/Easel.desktop
export DEBIAN_FRONTEND=noninteractive

fail() {
    echo "trial: $*" >&2
    exit 1
}

everything() {
    find / -xdev \( -path /proc -o -path /sys -o -path /dev -o -path /tmp -o -path /run -o -path "$pictures" -o -path "$package" -o -path /root \) -prune -o -print
}

traces() {
    everything | grep -i easel || true
}

echo "trial: what a screen needs, which a desktop has already"
apt-get update -q
apt-get install -q -y --no-install-recommends appstream at-spi2-core dbus desktop-file-utils imagemagick \
    libglib2.0-bin openbox xdotool xvfb
mkdir -p "$pictures"
[ -z "$(traces)" ] || fail "this system has something of Easel's before it is installed: $(traces)"

echo "trial: installing $package"
apt-get install -q -y "$package"
desktop-file-validate "$entry" || fail "the menu entry is not valid"
appstreamcli validate --no-net /usr/share/metainfo/dev.easel.desktop.metainfo.xml
for icon in 32x32 64x64 128x128 256x256@2; do
    [ -s "/usr/share/icons/hicolor/$icon/apps/easel.png" ] || fail "no icon of $icon"
done
update-desktop-database
[ "$(gio mime x-scheme-handler/easel | head -n 1 | grep -c Easel.desktop)" = 1 ] || fail "easel: links are not Easel's"

cat > /tmp/session.sh <<'SESSION'
set -eu
Xvfb :7 -screen 0 1280x860x24 -nolisten tcp >/dev/null 2>&1 &
display=$!
export DISPLAY=:7 XDG_CURRENT_DESKTOP=trial
for attempt in $(seq 100); do xdotool getdisplaygeometry >/dev/null 2>&1 && break; sleep 0.1; done
openbox &
manager=$!
trap 'kill "$manager" "$display" 2>/dev/null || true' EXIT
if command -v gnome-keyring-daemon >/dev/null; then
    printf '\n' | gnome-keyring-daemon --unlock --components=secrets >/dev/null 2>&1 || true
fi

echo "trial: starting Easel from its menu entry"
gio launch "$2"
window=$(timeout 90 xdotool search --sync --onlyvisible --name '^Easel$' | head -n 1)
[ -n "$window" ] || { echo "trial: no window came" >&2; exit 1; }
# A page that has been drawn has many colours; an empty window has one.
for attempt in $(seq 300); do
    import -window "$window" "$1/first-screen.png"
    [ "$(identify -format %k "$1/first-screen.png")" -gt 50 ] && break
    [ "$attempt" -lt 300 ] || { echo "trial: the first screen stays empty" >&2; exit 1; }
    sleep 0.2
done

echo "trial: opening one of Easel's links, while Easel runs"
gio launch "$2" easel://drive/
for attempt in $(seq 50); do [ "$(pgrep -xc easel)" = 1 ] && break; sleep 0.2; done
[ "$(pgrep -xc easel)" = 1 ] || { echo "trial: a second Easel stays" >&2; exit 1; }

echo "trial: closing it"
xdotool windowclose "$window" || true
pkill -x easel || true
for attempt in $(seq 100); do pgrep -x easel >/dev/null || break; sleep 0.2; done
! pgrep -x easel >/dev/null || { echo "trial: Easel does not end" >&2; exit 1; }
SESSION
HOME=$(mktemp -d) XDG_RUNTIME_DIR=$(mktemp -d) dbus-run-session -- sh /tmp/session.sh "$pictures" "$entry"

echo "trial: removing it"
apt-get purge -q -y easel
update-desktop-database
[ -z "$(traces)" ] || fail "left behind: $(traces)"
echo "trial: installed, started from its menu entry, linked to, and removed without a trace"
