"""A root file system of Debian's required packages, without Swift and build tools. It is copied from
the files of the packages that are installed on this machine, so it needs no network."""

import re
import shutil
import subprocess
from pathlib import Path

INFO = Path("/var/lib/dpkg/info")
# dpkg doesn't miss them.
LEFT_OUT = re.compile(r"/usr/share/(doc|info|locale|lintian|man)/")
# Files that packages' scripts create when they are installed.
CREATED = ("/etc/alternatives", "/etc/group", "/etc/os-release", "/etc/passwd", "/etc/shadow",
           "/usr/bin/awk", "/var/lib/dpkg/alternatives", "/var/lib/dpkg/diversions")

# Runs a command in a new root. The only network is loopback. The arguments are the root, the user
# and the command.
ENTER = """
set -e
ip link set lo up
mount -t proc proc "$0/proc"
mount -t tmpfs tmpfs "$0/dev"
for device in null random urandom zero; do
  : > "$0/dev/$device"
  mount --bind "/dev/$device" "$0/dev/$device"
done
user=$1
shift
exec chroot --userspec="$user" "$0" "$@"
"""
USER = "1000:1000"
ENVIRONMENT = {"PATH": "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin",
               "DEBIAN_FRONTEND": "noninteractive", "LC_ALL": "C.UTF-8"}


class Packages:
    """The packages of this machine, by name and by what they provide."""

    def __init__(self):
        text = subprocess.check_output(
            ["dpkg-query", "-W", "-f", r"${Package}\t${Essential}\t${Priority}\t${Pre-Depends}, ${Depends}"
             r"\t${Provides}\n"], text=True)
        self.needs, self.providers, self.required = {}, {}, ["apt"]
        for line in text.splitlines():
            name, essential, priority, needs, provides = line.split("\t")
            self.needs[name] = [names(each) for each in needs.split(",") if each.strip()]
            for provided in names(provides.replace(",", "|")):
                self.providers.setdefault(provided, name)
            if essential == "yes" or priority == "required":
                self.required.append(name)

    def closure(self, chosen):
        """Returns packages with all packages that they depend on."""
        found, left = set(), list(chosen)
        while left:
            name = left.pop()
            if name in found:
                continue
            found.add(name)
            for alternatives in self.needs[name]:
                installed = [self.providers.get(each, each) if each not in self.needs else each
                             for each in alternatives]
                left += [each for each in installed if each in self.needs][:1]
        return found


def names(text):
    """Returns the names in "a (>= 1) | b:any"."""
    return [match for match in re.findall(r"(?:^|\|)\s*([a-z0-9][a-z0-9.+-]*)", text)]


def make(root, extra=()):
    """Makes a root with the required packages and `extra`, and all packages that these need."""
    packages = Packages()
    chosen = packages.closure([*packages.required, *extra])
    root.mkdir(mode=0o755)
    for name in ("bin", "lib", "lib64", "sbin"):
        (root / name).symlink_to(f"usr/{name}")
    # The files of a package are named "package.list" or "package:architecture.list".
    info = [INFO / "format", *(path for path in INFO.iterdir() if path.stem.partition(":")[0] in chosen)]
    files = [line for path in info if path.suffix == ".list" for line in path.read_text().splitlines()]
    files = sorted({usr_merged(line) for line in [*files, *CREATED] if not LEFT_OUT.match(line)})
    copy([file for file in files if Path(file).exists() or Path(file).is_symlink()], root)
    state = root / "var/lib/dpkg"
    copy([str(path) for path in info], root)
    for folder in ("info", "updates", "triggers", "alternatives"):
        (state / folder).mkdir(exist_ok=True)
    copy([str(path) for path in Path("/etc/alternatives").iterdir()], root)
    records = Path("/var/lib/dpkg/status").read_text().split("\n\n")
    (state / "status").write_text("".join(
        f"{record.strip()}\n\n" for record in records
        if re.match(r"Package: (\S+)", record.strip()) and record.strip().splitlines()[0][9:] in chosen))
    for name in ("tmp", "proc", "dev", "root", "etc/apt/apt.conf.d", "var/lib/apt/lists/partial",
                 "var/cache/apt/archives/partial", "var/log/apt"):
        (root / name).mkdir(parents=True, exist_ok=True)
    (root / "tmp").chmod(0o1777)
    for path in (root / "etc/apt").rglob("*"):
        if path.is_file() or path.is_symlink():
            path.unlink()
    home = root / "home/user"
    home.mkdir(parents=True)
    shutil.chown(home, 1000, 1000)
    subprocess.run(["ldconfig", "-r", root], check=True)
    return root


def usr_merged(path):
    return re.sub(r"^/(bin|lib|lib64|sbin)(?=/|$)", r"/usr/\1", path)


def copy(files, root):
    archive = subprocess.Popen(["tar", "--create", "--no-recursion", "-C", "/", "--null", "--files-from=-"],
                               stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    unpack = subprocess.Popen(["tar", "--extract", "-p", "-C", root, "--keep-directory-symlink"],
                              stdin=archive.stdout)
    archive.stdin.write("\0".join(file.lstrip("/") for file in files).encode())
    archive.stdin.close()
    assert unpack.wait() == 0
    archive.stdout.close()
    archive.wait()


def command(root, *words, user="0:0"):
    return ["unshare", "-mnpf", "sh", "-c", ENTER, root, user, *words]


def run_in(root, *words, user="0:0", **options):
    """Runs a command in a root, and returns the result with its output."""
    environment = ENVIRONMENT | {"HOME": "/root" if user == "0:0" else "/home/user"}
    return subprocess.run(command(root, *words, user=user), env=environment, text=True,
                          capture_output=True, timeout=120, check=False, **options)
