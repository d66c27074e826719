"""The bridge between Repertoire and Doom: one player of one match, as JSON lines.

It runs ViZDoom (which the user installs; nothing of it is linked or shipped) and speaks protocol 1 of `repertoire doom`:
a line in, a line out, in turn. It understands as little of the game as it can: which numbers mean what, what is seen and
what to do about it is decided on the other side. docs/guides/doom.md describes the lines.

Whichever side dies, nothing stays behind: a guardian process watches both, and then kills the engine and removes its
shared memory.
"""

import fcntl
import glob
import json
import os
import select
import shutil
import signal
import socket
import struct
import sys
import time
import zlib

PROTOCOL = 1

VARIABLES = """HEALTH ARMOR POSITION_X POSITION_Y POSITION_Z ANGLE PITCH VELOCITY_X VELOCITY_Y VELOCITY_Z VIEW_HEIGHT
ON_GROUND ATTACK_READY SELECTED_WEAPON WEAPON1 WEAPON2 WEAPON3 WEAPON4 WEAPON5 WEAPON6 WEAPON7 AMMO2 AMMO3 AMMO4 AMMO5
AMMO6 AMMO7 FRAGCOUNT DEATHCOUNT DAMAGE_TAKEN DAMAGECOUNT HITCOUNT ITEMCOUNT DEAD PLAYER_NUMBER PLAYER_COUNT
PLAYER1_FRAGCOUNT PLAYER2_FRAGCOUNT PLAYER3_FRAGCOUNT PLAYER4_FRAGCOUNT PLAYER5_FRAGCOUNT PLAYER6_FRAGCOUNT
PLAYER7_FRAGCOUNT PLAYER8_FRAGCOUNT""".split()

# Deltas come first; then keys, pressed while the number is not 0.
BUTTONS = """TURN_LEFT_RIGHT_DELTA LOOK_UP_DOWN_DELTA MOVE_FORWARD_BACKWARD_DELTA MOVE_LEFT_RIGHT_DELTA ATTACK USE JUMP
SELECT_WEAPON1 SELECT_WEAPON2 SELECT_WEAPON3 SELECT_WEAPON4 SELECT_WEAPON5 SELECT_WEAPON6 SELECT_WEAPON7""".split()

# What is told of all objects, seen or not: players, to find out who is stuck, and what makes a noise.
TOLD = ("Player", "Ball", "Rocket", "Puff", "TeleportFog")


def group_members(group):
    """The living processes of a process group."""
    for stat in glob.glob("/proc/[0-9]*/stat"):
        try:
            with open(stat) as file:
                fields = file.read().rpartition(")")[2].split()
            if int(fields[2]) == group and fields[0] != "Z":
                yield int(stat.split("/")[2])
        except (OSError, ValueError, IndexError):
            continue


def shared_by(pid):
    """The files of shared memory that a process has mapped."""
    try:
        with open("/proc/%d/maps" % pid) as file:
            return {line.split()[-1] for line in file if "/dev/shm/ViZDoom" in line and "(deleted)" not in line}
    except OSError:
        return set()


def clean_up(group, shared, folder):
    """Kills everybody else in the group, and removes what the engine shared and wrote."""
    for _ in range(100):
        others = [pid for pid in group_members(group) if pid != os.getpid()]
        for pid in others:
            shared |= shared_by(pid)
            try:
                os.kill(pid, signal.SIGKILL)
            except OSError:
                pass
        if not others:
            break
        time.sleep(0.02)
    # The three files of an engine end in its name: who knows one knows all.
    for name in {path[-10:] for path in shared}:
        for path in glob.glob("/dev/shm/ViZDoom*" + glob.escape(name)):
            try:
                os.remove(path)
            except OSError:
                pass
    if os.path.basename(folder).startswith("repertoire-doom-"):
        shutil.rmtree(folder, ignore_errors=True)


def is_alive(pid):
    try:
        with open("/proc/%d/stat" % pid) as file:
            return file.read().rpartition(")")[2].split()[0] != "Z"
    except (OSError, IndexError):
        return False


def start_guardian(folder, out):
    """Forks the process that outlives everybody: it waits until the bridge, the engine or the command is gone, and cleans up.

    Returns a descriptor whose end says that the bridge is gone. The guardian keeps the pipe of the protocol open, so that
    who reads from it sees its end only when everything is cleaned up.
    """
    watched, held = os.pipe()
    bridge = os.getpid()
    if os.fork() != 0:
        os.close(watched)
        return held
    os.close(held)
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGPIPE):
        signal.signal(number, signal.SIG_IGN)
    nowhere = os.open(os.devnull, os.O_RDWR)
    os.dup2(nowhere, 1)
    os.dup2(nowhere, 2)
    poll = select.poll()
    poll.register(watched, select.POLLIN)
    poll.register(0, 0)  # only the end of it: what is written there is the bridge's
    shared, engine, gone_since, last = set(), None, None, False
    while True:
        # What is shared is asked for until it is there: a bridge that has died cannot tell any more.
        events = dict(poll.poll(2000 if last else 500 if engine and len(shared) >= 3 else 20))
        if len(shared) < 3:
            shared |= shared_by(bridge)
        if engine is None:
            engine = next((pid for pid in group_members(os.getpgrp()) if pid not in (bridge, os.getpid())), None)
        elif not events and not is_alive(engine):
            # The bridge notices that itself, except while it waits for the engine's first word.
            gone_since = gone_since or time.monotonic()
            if time.monotonic() - gone_since > 2.0:
                try:
                    os.write(out, b'{"error":"the engine is gone"}\n')
                except OSError:
                    pass  # nobody is left to be told
                break
        if watched in events or (last and not events):
            break
        if events.get(0):
            # The command is gone. The bridge sees that too, and ends the game in good order if it can.
            poll.unregister(0)
            last = True
    clean_up(os.getpgrp(), shared, folder)
    os._exit(0)


def own_shared_memory():
    """A /dev/shm that nobody else sees, and that goes with the last process in it; works where `unshare -m` did."""
    try:
        import ctypes

        ctypes.CDLL(None).mount(b"tmpfs", b"/dev/shm", b"tmpfs", 0, b"mode=1777")
    except (OSError, AttributeError, ImportError):
        pass  # the guardian removes what is shared


def raise_loopback():
    """In a network of its own even the loopback is down; engines of one match meet there."""
    try:
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as any_socket:
            get_flags, set_flags, up = 0x8913, 0x8914, 0x1
            request = struct.pack("16sh14x", b"lo", 0)
            flags = struct.unpack("16sh14x", fcntl.ioctl(any_socket, get_flags, request))[1]
            if not flags & up:
                fcntl.ioctl(any_socket, set_flags, struct.pack("16sh14x", b"lo", flags | up))
    except OSError:
        pass  # without it a match of one goes on


def png(rows, width, height, palette):
    """A picture of one byte a pixel as a PNG file."""

    def chunk(kind, data):
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    lines = b"".join(b"\0" + rows[at : at + width] for at in range(0, width * height, width))
    head = struct.pack(">IIBBBBB", width, height, 8, 3, 0, 0, 0)
    parts = chunk(b"IHDR", head) + chunk(b"PLTE", palette) + chunk(b"IDAT", zlib.compress(lines, 6))
    return b"\x89PNG\r\n\x1a\n" + parts + chunk(b"IEND", b"")


def palette_of(wad):
    """Doom's first palette, from the file of maps."""
    with open(wad, "rb") as file:
        _, count, directory = struct.unpack("<4sII", file.read(12))
        file.seek(directory)
        entries = file.read(16 * count)
        for at in range(0, len(entries), 16):
            offset, size, name = struct.unpack("<II8s", entries[at : at + 16])
            if name.rstrip(b"\0") == b"PLAYPAL" and size >= 768:
                file.seek(offset)
                return file.read(768)
    return bytes(value for grey in range(256) for value in (grey, grey, grey))


class Match:
    def __init__(self, vizdoom, start):
        self.vizdoom, self.start, self.dead = vizdoom, start, set()
        game = self.game = vizdoom.DoomGame()
        game.set_doom_game_path(start["wad"])
        game.set_doom_map(start["map"])
        game.set_window_visible(False)
        game.set_mode(vizdoom.Mode.PLAYER)
        game.set_doom_skill(4)
        game.set_episode_timeout(0)
        game.set_seed(start["seed"])
        wide = start.get("pictures", False)
        game.set_screen_resolution(getattr(vizdoom.ScreenResolution, "RES_320X240" if wide else "RES_160X120"))
        game.set_screen_format(vizdoom.ScreenFormat.DOOM_256_COLORS8 if wide else vizdoom.ScreenFormat.GRAY8)
        self.palette = palette_of(start["wad"]) if wide else None
        game.set_labels_buffer_enabled(True)
        game.set_objects_info_enabled(True)
        for drawn in ("crosshair", "decals", "particles", "messages", "screen_flashes"):
            getattr(game, "set_render_" + drawn)(False)
        for drawn in ("hud", "weapon", "corpses", "effects_sprites"):
            getattr(game, "set_render_" + drawn)(wide)
        for name in VARIABLES:
            game.add_available_game_variable(getattr(vizdoom.GameVariable, name))
        for name in BUTTONS:
            game.add_available_button(getattr(vizdoom.Button, name))
        # The engine's own buffer of notifications keeps the last tic's only; its log has all of them.
        feed = os.path.join(os.getcwd(), "feed.log")
        open(feed, "w").close()
        self.feed = os.open(feed, os.O_RDONLY)
        game.add_game_args(start["arguments"] + " +logfile " + feed)
        game.init()
        os.lseek(self.feed, 0, os.SEEK_END)  # what it says of itself while it starts is of no interest
        for bot in start["bots"]:
            game.send_game_command("addbot " + bot if bot else "addbot")

    def state(self, picture=None):
        game = self.game
        if game.is_episode_finished():
            return {"over": True}
        state = game.get_state()
        if state is None:
            return {"over": True}
        if picture:
            rows = state.screen_buffer
            data = png(rows.tobytes(), rows.shape[1], rows.shape[0], self.palette)
            with open(picture, "wb") as file:
                file.write(data)
        seen = [
            [
                label.object_name,
                label.object_id,
                label.object_position_x,
                label.object_position_y,
                label.object_position_z,
                label.object_velocity_x,
                label.object_velocity_y,
                label.object_velocity_z,
            ]
            for label in state.labels
            if label.object_category != "Self"
        ]
        there = []
        for thing in state.objects:
            name = thing.name
            if not name.endswith(TOLD):
                continue
            if name.startswith("Dead"):
                # Bodies lie about for long; that somebody has died is told once.
                if thing.id in self.dead:
                    continue
                self.dead.add(thing.id)
            there.append([name, thing.id, thing.position_x, thing.position_y, thing.position_z])
        return {
            "tic": state.tic,
            "own": state.game_variables.tolist(),
            "seen": seen,
            "there": there,
            "said": self.said(),
        }

    def said(self):
        """What the engine told the player since the last state."""
        said = os.read(self.feed, 65536)
        return said.decode("utf-8", "replace") if said else ""

    def act(self, action, tics, at_once):
        """Turns evenly over the tics, or in the first of them, which takes a message to the engine more."""
        game = self.game
        if at_once and tics > 1:
            game.set_action(action)
            game.advance_action(1, False)
            game.set_action([0.0, 0.0] + action[2:])
            game.advance_action(tics - 1, True)
        else:
            game.set_action([action[0] / tics, action[1] / tics] + action[2:])
            game.advance_action(tics, True)


def main():
    folder = sys.argv[1] if len(sys.argv) > 1 else ""
    # The engine prints on standard output, and keeps what it inherits: the protocol moves elsewhere first.
    out = os.fdopen(os.dup(1), "w", buffering=1)
    log = os.open(os.path.join(folder, "engine.log"), os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
    os.dup2(log, 1)
    os.dup2(log, 2)
    if "isolated" in sys.argv[2:]:
        own_shared_memory()
        raise_loopback()
    held = start_guardian(folder, out.fileno())  # noqa: F841, held open until this process ends

    def say(message):
        out.write(json.dumps(message, separators=(",", ":")) + "\n")

    def fail(what):
        say({"error": what})
        sys.exit(1)

    try:
        import vizdoom
    except ImportError as error:
        fail("no-vizdoom: " + str(error))
    say({"bridge": PROTOCOL, "vizdoom": vizdoom.__version__, "variables": VARIABLES, "buttons": BUTTONS})
    match = None
    for line in sys.stdin:
        try:
            message = json.loads(line)
            if "start" in message:
                match = Match(vizdoom, message["start"])
                say(match.state())
            elif "act" in message:
                match.act(message["act"], message["tics"], message["at_once"])
                say(match.state(message.get("picture")))
            elif "end" in message:
                break
            else:
                fail("a line that is none of start, act and end")
        except Exception as error:  # whatever the engine throws is told, not printed into nothing
            fail(type(error).__name__ + ": " + str(error))
    if match is not None:
        match.game.close()


if __name__ == "__main__":
    try:
        main()
    except (BrokenPipeError, KeyboardInterrupt):
        os._exit(1)
