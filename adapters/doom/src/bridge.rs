//! The bridge as a process: started in a group of its own, answered line by line, and never left behind.
//!
//! Nothing is left behind, whichever process ends first: dropping a [`Bridge`] kills its group and removes its folder. If this
//! process is killed and cannot do that, a guardian in the group does, and removes the engine's shared memory too.

use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::path::PathBuf;
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::Duration;

use crate::environment::Isolation;
use crate::protocol::{Action, Hello, Start, State, read_state};
use crate::{DoomError, Environment};

/// The bridge itself, so that the command needs no file beside it.
pub const BRIDGE: &str = include_str!("../bridge.py");

/// The engine answers within milliseconds; a machine that swaps may take longer.
const PATIENCE: Duration = Duration::from_secs(30);
/// How long the bridge may take to end the game in good order.
const FAREWELL: Duration = Duration::from_millis(1500);

/// Lines to and from a bridge, real or recorded.
pub trait Wire: Send {
    /// Sends a line.
    fn send(&mut self, line: &str) -> Result<(), DoomError>;
    /// The next line.
    fn receive(&mut self) -> Result<String, DoomError>;
}

/// A bridge under way.
pub struct Bridge {
    wire: Box<dyn Wire>,
    hello: Hello,
    /// Its process, if it has one.
    process: Option<u32>,
    /// Everything said on both sides, if it is kept.
    conversation: Option<String>,
}

impl std::fmt::Debug for Bridge {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Bridge").field("hello", &self.hello).finish_non_exhaustive()
    }
}

impl Bridge {
    /// Starts the process of a bridge.
    pub fn start(environment: &Environment) -> Result<Self, DoomError> {
        Self::beside(environment, None)
    }

    /// Starts bridges whose engines play one match.
    pub fn start_all(environment: &Environment, count: usize) -> Result<Vec<Self>, DoomError> {
        let mut bridges = Vec::with_capacity(count);
        for _ in 0..count {
            let first = bridges.first().and_then(|first: &Bridge| first.process);
            bridges.push(Self::beside(environment, first)?);
        }
        Ok(bridges)
    }

    fn beside(environment: &Environment, other: Option<u32>) -> Result<Self, DoomError> {
        environment.check()?;
        let process = Process::start(environment, other)?;
        let number = process.child.id();
        let mut bridge = Self::over(Box::new(process), environment)?;
        bridge.process = Some(number);
        Ok(bridge)
    }

    /// Speaks over a wire.
    pub fn over(mut wire: Box<dyn Wire>, environment: &Environment) -> Result<Self, DoomError> {
        let line = wire.receive()?;
        let hello: Hello = match serde_json::from_str(&line) {
            Ok(hello) => hello,
            Err(_) => {
                return Err(match read_state(&line) {
                    Err(DoomError::Engine { what }) if what.starts_with("no-vizdoom") => {
                        DoomError::NoVizdoom(environment.python.clone())
                    }
                    Err(error) => error,
                    Ok(_) => DoomError::Garbled { line },
                });
            }
        };
        hello.check()?;
        Ok(Bridge { wire, hello, process: None, conversation: None })
    }

    /// Keeps what is said from now on.
    pub fn keep_conversation(&mut self) {
        let hello = serde_json::to_string(&self.hello).unwrap_or_default();
        self.conversation = Some(format!("< {hello}\n"));
    }

    /// What was said, as lines that begin with `<` (the bridge) or `>` (we).
    pub fn conversation(&self) -> &str {
        self.conversation.as_deref().unwrap_or("")
    }

    /// What the bridge said of itself.
    pub fn hello(&self) -> &Hello {
        &self.hello
    }

    fn tell(&mut self, line: &str) -> Result<(), DoomError> {
        if let Some(kept) = &mut self.conversation {
            *kept += &format!("> {line}\n");
        }
        self.wire.send(line)
    }

    /// Asks for a match; [`Bridge::hear_start`] gives the state in which it begins.
    pub fn tell_start(&mut self, start: &Start) -> Result<(), DoomError> {
        self.tell(&serde_json::json!({ "start": start }).to_string())
    }

    /// The state in which the match begins.
    pub fn hear_start(&mut self) -> Result<State, DoomError> {
        let over = || DoomError::Engine { what: "it was over before it began".to_owned() };
        self.hear_state()?.ok_or_else(over)
    }

    /// Acts; [`Bridge::hear_state`] says what came of it.
    pub fn tell_action(&mut self, action: &Action) -> Result<(), DoomError> {
        self.tell(&serde_json::to_string(action).unwrap_or_default())
    }

    /// The next state; none when the match is over.
    pub fn hear_state(&mut self) -> Result<Option<State>, DoomError> {
        let line = self.wire.receive()?;
        if let Some(kept) = &mut self.conversation {
            *kept += &format!("< {line}\n");
        }
        read_state(&line)
    }

    /// Ends the match in good order.
    pub fn end(mut self) {
        // If it is gone already there is nobody to tell.
        let _ = self.tell("{\"end\":true}");
    }
}

/// A recorded conversation, which must go as it went.
pub struct Recorded {
    lines: std::vec::IntoIter<(usize, String)>,
}

impl Recorded {
    /// From lines as [`Bridge::conversation`] gives them.
    pub fn new(conversation: &str) -> Self {
        let lines: Vec<(usize, String)> =
            conversation.lines().enumerate().map(|(k, line)| (k + 1, line.to_owned())).collect();
        Recorded { lines: lines.into_iter() }
    }

    fn next(&mut self) -> Result<(usize, String), DoomError> {
        let over = || DoomError::Died { how: "has no more recorded lines".to_owned(), log: String::new() };
        self.lines.next().ok_or_else(over)
    }
}

impl Wire for Recorded {
    fn send(&mut self, line: &str) -> Result<(), DoomError> {
        let (number, recorded) = self.next()?;
        match recorded.strip_prefix("> ") {
            Some(same) if same == line => Ok(()),
            Some(other) => {
                Err(DoomError::Differs { line: number, what: format!("recorded {other}, now {line}") })
            }
            None => Err(DoomError::Differs { line: number, what: "it is the bridge's turn".to_owned() }),
        }
    }

    fn receive(&mut self) -> Result<String, DoomError> {
        let (number, recorded) = self.next()?;
        let ours = || DoomError::Differs { line: number, what: "it is our turn".to_owned() };
        recorded.strip_prefix("< ").map(str::to_owned).ok_or_else(ours)
    }
}

/// The process of a bridge.
struct Process {
    child: Child,
    stdin: Option<ChildStdin>,
    lines: Receiver<String>,
    folder: PathBuf,
}

impl Process {
    fn start(environment: &Environment, beside: Option<u32>) -> Result<Self, DoomError> {
        let folder = new_folder().map_err(DoomError::NotStarted)?;
        let bridge = folder.join("bridge.py");
        let started = fs::write(&bridge, BRIDGE).and_then(|()| {
            let mut command = environment.command(beside);
            // Unbuffered, without the user's own packages, and with no trace of bytecode.
            command.args(["-u", "-B", "-I"]).arg(&bridge).arg(&folder).current_dir(&folder);
            if environment.isolation != Isolation::None {
                command.arg("isolated");
            }
            command.env("HOME", &folder).env_remove("DISPLAY");
            command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
            own_group(&mut command);
            command.spawn()
        });
        let mut child = match started {
            Ok(child) => child,
            Err(error) => {
                let _ = fs::remove_dir_all(&folder);
                return Err(DoomError::NotStarted(error));
            }
        };
        let (to_us, lines) = channel();
        let stdin = child.stdin.take();
        if let Some(stdout) = child.stdout.take() {
            std::thread::spawn(move || {
                for line in BufReader::with_capacity(1 << 16, stdout).lines() {
                    if line.is_err() || line.is_ok_and(|line| to_us.send(line).is_err()) {
                        break;
                    }
                }
            });
        }
        Ok(Process { child, stdin, lines, folder })
    }

    /// How it ended, in words.
    fn died(&mut self) -> DoomError {
        let how = match self.child.wait() {
            Ok(status) => told(status),
            Err(error) => format!("is gone ({error})"),
        };
        DoomError::Died { how, log: self.log() }
    }

    /// The last lines that the engine printed.
    fn log(&self) -> String {
        let text = fs::read(self.folder.join("engine.log")).unwrap_or_default();
        let text = String::from_utf8_lossy(&text);
        let lines: Vec<&str> = text.lines().map(str::trim).filter(|line| !line.is_empty()).collect();
        lines[lines.len().saturating_sub(3)..].join(" / ").chars().take(400).collect()
    }
}

impl Wire for Process {
    fn send(&mut self, line: &str) -> Result<(), DoomError> {
        let sent = match &mut self.stdin {
            Some(stdin) => stdin.write_all(format!("{line}\n").as_bytes()),
            None => Err(std::io::ErrorKind::BrokenPipe.into()),
        };
        // A closed pipe is told by the answer that does not come: it may be an error in words.
        match sent {
            Err(error) if error.kind() != std::io::ErrorKind::BrokenPipe => Err(DoomError::NotStarted(error)),
            _ => Ok(()),
        }
    }

    fn receive(&mut self) -> Result<String, DoomError> {
        match self.lines.recv_timeout(PATIENCE) {
            Ok(line) => Ok(line),
            Err(RecvTimeoutError::Timeout) => {
                Err(DoomError::Silent { secs: PATIENCE.as_secs(), log: self.log() })
            }
            Err(RecvTimeoutError::Disconnected) => Err(self.died()),
        }
    }
}

impl Process {
    /// Waits until everybody has let go of the pipe: the guardian does so last, when all is cleaned up.
    fn is_clean_within(&self, wait: Duration) -> bool {
        loop {
            match self.lines.recv_timeout(wait) {
                Ok(_) => {}
                Err(RecvTimeoutError::Timeout) => return false,
                Err(RecvTimeoutError::Disconnected) => return true,
            }
        }
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        // Closing the pipe tells the bridge to end the game. If it does not, it is killed, and the guardian cleans up after
        // it; if even that fails, the whole group is killed.
        drop(self.stdin.take());
        if !self.is_clean_within(FAREWELL) {
            let _ = self.child.kill();
            if !self.is_clean_within(FAREWELL) {
                kill_group(&self.child);
            }
        }
        let _ = self.child.kill();
        let _ = self.child.wait();
        let _ = fs::remove_dir_all(&self.folder);
    }
}

fn told(status: std::process::ExitStatus) -> String {
    #[cfg(unix)]
    if let Some(signal) = std::os::unix::process::ExitStatusExt::signal(&status) {
        return format!("was killed (signal {signal})");
    }
    match status.code() {
        Some(0) => "has ended".to_owned(),
        Some(code) => format!("ended with code {code}"),
        None => "is gone".to_owned(),
    }
}

/// A folder of its own for the engine, which writes its settings where it stands.
fn new_folder() -> std::io::Result<PathBuf> {
    static COUNT: std::sync::atomic::AtomicU32 = std::sync::atomic::AtomicU32::new(0);
    let number = COUNT.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
    let folder = std::env::temp_dir().join(format!("repertoire-doom-{}-{number}", std::process::id()));
    fs::create_dir_all(&folder)?;
    Ok(folder)
}

#[cfg(unix)]
fn own_group(command: &mut Command) {
    std::os::unix::process::CommandExt::process_group(command, 0);
}

#[cfg(not(unix))]
fn own_group(_: &mut Command) {}

#[cfg(unix)]
fn kill_group(child: &Child) {
    let group = i32::try_from(child.id()).ok().and_then(rustix::process::Pid::from_raw);
    if let Some(group) = group {
        // Nobody left in it is what is wanted.
        let _ = rustix::process::kill_process_group(group, rustix::process::Signal::KILL);
    }
}

#[cfg(not(unix))]
fn kill_group(_: &Child) {}
