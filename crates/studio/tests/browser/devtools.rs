//! A browser driven over the DevTools protocol, without Node.

use std::io::{Read, Write};
use std::net::TcpStream;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use tungstenite::{Message, WebSocket};

/// Programs that are a Chromium.
const NAMES: [&str; 3] = ["chromium", "chromium-browser", "google-chrome"];

/// Chromium, if it is installed.
pub fn chromium() -> Option<PathBuf> {
    let path = std::env::var_os("PATH")?;
    std::env::split_paths(&path)
        .flat_map(|folder| NAMES.map(|name| folder.join(name)))
        .find(|file| file.is_file())
}

/// One page of a browser of its own.
pub struct Page {
    process: Child,
    folder: PathBuf,
    socket: WebSocket<TcpStream>,
    number: u64,
}

impl Page {
    /// Opens a page of a size.
    pub fn open(program: &Path, url: &str, width: u32, height: u32) -> Self {
        // Pages of one process run side by side, and each needs a profile of its own.
        static OPENED: AtomicU32 = AtomicU32::new(0);
        let number = OPENED.fetch_add(1, Ordering::Relaxed);
        let folder = std::env::temp_dir().join(format!("studio-browser-{}-{number}", std::process::id()));
        let _ = std::fs::remove_dir_all(&folder);
        let process = Command::new(program)
            .args([
                "--headless",
                "--no-sandbox",
                "--use-angle=swiftshader",
                "--enable-unsafe-swiftshader",
                "--no-first-run",
            ])
            .args([
                "--remote-debugging-port=0",
                "--hide-scrollbars",
                "--mute-audio",
                "--disable-extensions",
                "--disable-gpu-vsync",
            ])
            .arg(format!("--window-size={width},{height}"))
            .arg(format!("--user-data-dir={}", folder.display()))
            .arg("about:blank")
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .expect("chromium starts");
        let port = until(60, || {
            let text = std::fs::read_to_string(folder.join("DevToolsActivePort")).ok()?;
            text.lines().next()?.parse::<u16>().ok()
        });
        let target = until(30, || {
            let pages: Value = serde_json::from_str(&fetch(port, "/json/list")?).ok()?;
            let page = pages.as_array()?.iter().find(|page| page["type"] == "page")?;
            page["webSocketDebuggerUrl"].as_str().map(str::to_owned)
        });
        let stream = TcpStream::connect(("127.0.0.1", port)).expect("it listens");
        stream.set_nodelay(true).expect("a socket");
        let (socket, _) = tungstenite::client(target, stream).expect("it speaks DevTools");
        let mut page = Page { process, folder, socket, number: 0 };
        page.call("Page.enable", json!({}));
        page.call("Runtime.enable", json!({}));
        page.size(width, height);
        page.call("Page.navigate", json!({ "url": url }));
        page
    }

    /// Another size.
    pub fn size(&mut self, width: u32, height: u32) {
        self.call(
            "Emulation.setDeviceMetricsOverride",
            json!({ "width": width, "height": height, "deviceScaleFactor": 1, "mobile": false }),
        );
    }

    /// Calls the browser.
    pub fn call(&mut self, method: &str, params: Value) -> Value {
        self.number += 1;
        let number = self.number;
        let text = json!({ "id": number, "method": method, "params": params }).to_string();
        self.socket.send(Message::text(text)).expect("it listens");
        loop {
            let Message::Text(text) = self.socket.read().expect("it answers") else { continue };
            let answer: Value = serde_json::from_str(&text).expect("JSON");
            if answer["method"] == "Runtime.exceptionThrown" {
                panic!("the page threw: {}", answer["params"]["exceptionDetails"]);
            }
            if answer["id"] == number {
                assert!(answer.get("error").is_none(), "{method}: {answer}");
                return answer["result"].clone();
            }
        }
    }

    /// The value of an expression on the page.
    pub fn eval(&mut self, expression: &str) -> Value {
        let answer = self.call("Runtime.evaluate", json!({ "expression": expression, "awaitPromise": true, "returnByValue": true, "userGesture": true }));
        assert!(answer.get("exceptionDetails").is_none(), "{expression}: {answer}");
        answer["result"]["value"].clone()
    }

    /// Waits until an expression is true.
    pub fn wait(&mut self, secs: u64, expression: &str) {
        let whole = format!("(() => {{ try {{ return !!({expression}); }} catch {{ return false; }} }})()");
        let start = Instant::now();
        while self.eval(&whole) != json!(true) {
            // Busy machines take their time; a test that fails waits longer, one that passes does not.
            if start.elapsed() > Duration::from_secs(3 * secs) {
                self.shot(&std::env::temp_dir().join("studio-failed.png"));
                panic!(
                    "never became true: {expression}; frame {}",
                    self.eval("JSON.stringify(studio.frame?.at)")
                );
            }
            std::thread::sleep(Duration::from_millis(60));
        }
    }

    /// Presses or lets go of a key.
    pub fn key(&mut self, down: bool, code: &str, key: &str) {
        let kind = if down { "keyDown" } else { "keyUp" };
        self.call("Input.dispatchKeyEvent", json!({ "type": kind, "code": code, "key": key }));
    }

    /// Presses and lets go of a key.
    pub fn press(&mut self, code: &str, key: &str) {
        self.key(true, code, key);
        self.key(false, code, key);
    }

    /// The mouse: `mousePressed`, `mouseReleased` or `mouseMoved`.
    pub fn mouse(&mut self, kind: &str, x: f64, y: f64, pressed: bool) {
        let button = if kind == "mouseMoved" && !pressed { "none" } else { "left" };
        self.call("Input.dispatchMouseEvent", json!({ "type": kind, "x": x, "y": y, "button": button, "buttons": u8::from(pressed), "clickCount": 1 }));
    }

    /// Clicks an element, which must be there and visible.
    pub fn click(&mut self, selector: &str) {
        let at = self.eval(&format!("(() => {{ const e = document.querySelector({selector:?}); e.scrollIntoView({{block: 'nearest'}}); const b = e.getBoundingClientRect(); return [b.x + b.width / 2, b.y + b.height / 2]; }})()"));
        let (x, y) = (at[0].as_f64().expect("a place"), at[1].as_f64().expect("a place"));
        self.mouse("mousePressed", x, y, true);
        self.mouse("mouseReleased", x, y, false);
    }

    /// Keeps a picture of the page.
    pub fn shot(&mut self, path: &Path) {
        let answer = self.call("Page.captureScreenshot", json!({ "format": "png" }));
        let bytes = decode(answer["data"].as_str().expect("a picture"));
        std::fs::create_dir_all(path.parent().expect("a folder")).expect("writable");
        std::fs::write(path, bytes).expect("writable");
    }
}

impl Drop for Page {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
        let _ = std::fs::remove_dir_all(&self.folder);
    }
}

/// Tries until it works.
pub fn until<T>(secs: u64, mut attempt: impl FnMut() -> Option<T>) -> T {
    let start = Instant::now();
    loop {
        if let Some(done) = attempt() {
            return done;
        }
        assert!(start.elapsed() < Duration::from_secs(secs), "nothing came of it in {secs} s");
        std::thread::sleep(Duration::from_millis(50));
    }
}

/// A page by plain HTTP.
pub fn fetch(port: u16, path: &str) -> Option<String> {
    let mut stream = TcpStream::connect(("127.0.0.1", port)).ok()?;
    write!(stream, "GET {path} HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\n\r\n").ok()?;
    stream.set_read_timeout(Some(Duration::from_secs(5))).ok()?;
    let (mut bytes, mut part) = (Vec::new(), [0; 4096]);
    loop {
        let read = stream.read(&mut part).unwrap_or(0);
        bytes.extend_from_slice(&part[..read]);
        let text = String::from_utf8_lossy(&bytes);
        let Some((head, body)) = text.split_once("\r\n\r\n") else {
            if read == 0 {
                return None;
            }
            continue;
        };
        // Chromium keeps the connection open.
        let length = head.lines().find_map(|line| {
            line.to_lowercase().strip_prefix("content-length:")?.trim().parse::<usize>().ok()
        });
        if read == 0 || length.is_some_and(|length| body.len() >= length) {
            return Some(body.to_owned());
        }
    }
}

/// Base64 as DevTools writes it.
fn decode(text: &str) -> Vec<u8> {
    const LETTERS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let (mut bits, mut held, mut bytes) = (0u32, 0, Vec::new());
    for letter in text.bytes().filter_map(|byte| LETTERS.iter().position(|&letter| letter == byte)) {
        bits = bits << 6 | letter as u32;
        held += 6;
        if held >= 8 {
            held -= 8;
            bytes.push((bits >> held) as u8);
        }
    }
    bytes
}
