//! The daemon: runs containers of all clients until a request ends them.

use std::collections::BTreeMap;
use std::io;
use std::path::{Path, PathBuf};
use std::process::{ExitStatus, Stdio};
use std::sync::{Arc, Mutex, PoisonError};

use rustix::process::{Pid, Signal, kill_process_group};
use tokio::io::{AsyncRead, AsyncReadExt, AsyncWriteExt};
use tokio::net::unix::{OwnedReadHalf, OwnedWriteHalf};
use tokio::net::{TcpListener, TcpStream, UnixListener, UnixStream};
use tokio::process::{Child, Command};
use tokio::sync::{mpsc, watch};
use tokio::task::AbortHandle;

use super::{Kind, Request, SOCKET, receive, send};

/// Maximum number of messages that wait to be sent to a client.
const WAITING: usize = 64;

struct Daemon {
    dir: PathBuf,
    fixture: PathBuf,
    containers: Mutex<BTreeMap<String, Container>>,
}

struct Container {
    labels: Vec<String>,
    group: Pid,
    gone: watch::Receiver<bool>,
    published: Option<AbortHandle>,
}

/// Serves until the process is killed.
pub(super) async fn serve(dir: &Path, fixture: &Path) -> io::Result<()> {
    let socket = dir.join(SOCKET);
    let listener = UnixListener::bind(&socket)?;
    let daemon = Arc::new(Daemon {
        dir: dir.to_owned(),
        fixture: fixture.to_owned(),
        containers: Mutex::default(),
    });
    println!("ready");
    loop {
        let (stream, _) = listener.accept().await?;
        let daemon = Arc::clone(&daemon);
        tokio::spawn(async move {
            // A disconnected client is not the daemon's error.
            let _ = daemon.answer(stream).await;
        });
    }
}

/// The result of a request.
struct Said {
    code: u32,
    stdout: String,
    stderr: String,
}

fn done(stdout: impl Into<String>) -> Said {
    Said {
        code: 0,
        stdout: stdout.into(),
        stderr: String::new(),
    }
}

fn refused(code: u32, stderr: impl Into<String>) -> Said {
    Said {
        code,
        stdout: String::new(),
        stderr: stderr.into(),
    }
}

impl Daemon {
    async fn answer(&self, stream: UnixStream) -> io::Result<()> {
        let (mut from, mut to) = stream.into_split();
        let (_, bytes) = receive(&mut from).await?;
        let request: Request = serde_json::from_slice(&bytes)?;
        let words: Vec<&str> = request.words.iter().map(String::as_str).collect();
        let said = match words.as_slice() {
            ["run", rest @ ..] => match self.start(rest, &request.environment).await {
                Ok(started) => return self.stream(started, from, to).await,
                Err(said) => said,
            },
            ["version", ..] => done("28.0.0\n"),
            ["image", "inspect", .., image] => match self.has(image) {
                true => done("sha256:00\n"),
                false => refused(
                    1,
                    format!("Error response from daemon: No such image: {image}\n"),
                ),
            },
            ["pull", image] => self.pull(image, &mut to).await?,
            ["rm", .., name] => self.remove(name).await,
            ["ps", .., filter] => {
                let label = filter.strip_prefix("label=").unwrap_or_default();
                done(self.labelled(label))
            }
            other => refused(1, format!("unknown command: {other:?}\n")),
        };
        send(&mut to, Kind::Stdout, said.stdout.as_bytes()).await?;
        send(&mut to, Kind::Stderr, said.stderr.as_bytes()).await?;
        send(&mut to, Kind::Exit, &said.code.to_be_bytes()).await
    }

    fn containers(&self) -> std::sync::MutexGuard<'_, BTreeMap<String, Container>> {
        self.containers
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
    }

    fn has(&self, image: &str) -> bool {
        let images = std::fs::read_to_string(self.dir.join("images")).unwrap_or_default();
        images.lines().any(|one| one == image)
    }

    fn labelled(&self, label: &str) -> String {
        let containers = self.containers();
        let named = containers.iter().filter(|(_, container)| {
            let labels = container.labels.iter();
            labels
                .into_iter()
                .any(|own| own == label || own.starts_with(&format!("{label}=")))
        });
        named.map(|(name, _)| format!("{name}\n")).collect()
    }

    async fn pull(&self, image: &str, to: &mut OwnedWriteHalf) -> io::Result<Said> {
        if image.starts_with("missing") {
            let words = format!(
                "Error response from daemon: manifest for {image} not found: manifest unknown\n"
            );
            return Ok(refused(1, words));
        }
        if image.starts_with("private") {
            let words = format!(
                "Error response from daemon: pull access denied for {image}, repository does not exist or \
                 may require 'docker login'\n"
            );
            return Ok(refused(1, words));
        }
        send(
            to,
            Kind::Stdout,
            format!("Pulling from {image}\n").as_bytes(),
        )
        .await?;
        if image.starts_with("slow") {
            std::future::pending::<()>().await;
        }
        let mut images = std::fs::read_to_string(self.dir.join("images")).unwrap_or_default();
        images.push_str(&format!("{image}\n"));
        std::fs::write(self.dir.join("images"), images)?;
        Ok(done("Status: Downloaded newer image\n"))
    }

    async fn remove(&self, name: &str) -> Said {
        let found = self
            .containers()
            .get(name)
            .map(|container| (container.group, container.gone.clone()));
        let Some((group, mut gone)) = found else {
            return refused(
                1,
                format!("Error response from daemon: No such container: {name}\n"),
            );
        };
        // An error means that the container has already ended.
        let _ = kill_process_group(group, Signal::KILL);
        let _ = gone.wait_for(|gone| *gone).await;
        self.containers().remove(name);
        done(format!("{name}\n"))
    }

    async fn start(
        &self,
        words: &[&str],
        environment: &BTreeMap<String, String>,
    ) -> Result<Started, Said> {
        let run = Run::of(words);
        let image = &run.image;
        if !self.has(image) {
            return Err(refused(
                125,
                format!("Error response from daemon: No such image: {image}\n"),
            ));
        }
        if self.containers().contains_key(&run.name) {
            let name = &run.name;
            return Err(refused(
                125,
                format!("Error response from daemon: Conflict. The name {name} is in use\n"),
            ));
        }
        let failed =
            |error: io::Error| refused(125, format!("Error response from daemon: {error}\n"));
        let mut args = run.args;
        let mut published = None;
        if let Some((outside, inside)) = run.published {
            let listener = match TcpListener::bind(("127.0.0.1", outside)).await {
                Ok(listener) => listener,
                Err(_) => {
                    let words = format!(
                        "Error response from daemon: failed to set up container networking: Bind for \
                         127.0.0.1:{outside} failed: port is already allocated\n"
                    );
                    return Err(refused(125, words));
                }
            };
            // The port is released at once, and the container binds it soon after.
            let free = TcpListener::bind(("127.0.0.1", 0)).await.map_err(failed)?;
            let own = free.local_addr().map_err(failed)?.port();
            drop(free);
            for arg in args.iter_mut().filter(|arg| **arg == inside.to_string()) {
                *arg = own.to_string();
            }
            published = Some(tokio::spawn(pass_on(listener, own)).abort_handle());
        }
        let given = run.env.iter().filter_map(|one| match one.split_once('=') {
            Some((name, value)) => Some((name.to_owned(), value.to_owned())),
            None => Some((one.clone(), environment.get(one)?.clone())),
        });
        let child = Command::new(&self.fixture)
            .args(&args)
            .env_clear()
            .envs(given)
            .current_dir("/")
            .process_group(0)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .map_err(failed)?;
        let group = child
            .id()
            .and_then(|pid| Pid::from_raw(i32::try_from(pid).ok()?));
        let group = group.ok_or_else(|| refused(125, "it ended at once\n"))?;
        let (over, gone) = watch::channel(false);
        let container = Container {
            labels: run.labels,
            group,
            gone,
            published,
        };
        self.containers().insert(run.name.clone(), container);
        Ok(Started {
            name: run.name,
            group,
            child,
            over,
        })
    }

    /// Forwards streams between a container and its client, until the container's end. The end of
    /// the client does not end the container.
    async fn stream(
        &self,
        mut started: Started,
        mut from: OwnedReadHalf,
        mut to: OwnedWriteHalf,
    ) -> io::Result<()> {
        let (sender, mut receiver) = mpsc::channel::<(Kind, Vec<u8>)>(WAITING);
        let group = started.group;
        let mut stdin = started.child.stdin.take();
        tokio::spawn(async move {
            // An error means that the client has ended. The container continues, and its stdin
            // stays open.
            while let Ok((kind, bytes)) = receive(&mut from).await {
                match (kind, &mut stdin) {
                    (Kind::Stdin, _) if bytes.is_empty() => stdin = None,
                    (Kind::Stdin, Some(open)) => match open.write_all(&bytes).await {
                        Ok(()) => {}
                        Err(_) => return,
                    },
                    (Kind::Terminate, _) => {
                        let _ = kill_process_group(group, Signal::TERM);
                    }
                    _ => {}
                }
            }
            std::future::pending::<()>().await;
            drop(stdin);
        });
        let readers = [
            tokio::spawn(follow(
                started.child.stdout.take(),
                Kind::Stdout,
                sender.clone(),
            )),
            tokio::spawn(follow(
                started.child.stderr.take(),
                Kind::Stderr,
                sender.clone(),
            )),
        ];
        let passing = tokio::spawn(async move {
            let mut is_there = true;
            while let Some((kind, bytes)) = receiver.recv().await {
                // Without a client, the container's output is read and discarded.
                is_there = is_there && send(&mut to, kind, &bytes).await.is_ok();
            }
        });
        let status = started.child.wait().await;
        // Its child processes end too, as in a real container.
        let _ = kill_process_group(group, Signal::KILL);
        for reader in readers {
            let _ = reader.await;
        }
        if let Some(container) = self.containers().remove(&started.name)
            && let Some(published) = container.published
        {
            published.abort();
        }
        started.over.send_replace(true);
        let code = status.map_or(125, code_of);
        let _ = sender.send((Kind::Exit, code.to_be_bytes().to_vec())).await;
        drop(sender);
        let _ = passing.await;
        Ok(())
    }
}

struct Started {
    name: String,
    group: Pid,
    child: Child,
    over: watch::Sender<bool>,
}

fn code_of(status: ExitStatus) -> u32 {
    use std::os::unix::process::ExitStatusExt;
    let signal = status
        .signal()
        .and_then(|signal| u32::try_from(signal).ok());
    let code = status.code().and_then(|code| u32::try_from(code).ok());
    code.or(signal.map(|signal| 128 + signal)).unwrap_or(125)
}

async fn follow(
    source: Option<impl AsyncRead + Unpin>,
    kind: Kind,
    sender: mpsc::Sender<(Kind, Vec<u8>)>,
) {
    let Some(mut source) = source else { return };
    let mut chunk = vec![0; 16 * 1024];
    while let Ok(length) = source.read(&mut chunk).await {
        if length == 0 || sender.send((kind, chunk[..length].to_vec())).await.is_err() {
            return;
        }
    }
}

/// Accepts connections from the start, like a real engine, and forwards them once the container
/// listens.
async fn pass_on(listener: TcpListener, own: u16) {
    while let Ok((mut outside, _)) = listener.accept().await {
        tokio::spawn(async move {
            if let Ok(mut inside) = TcpStream::connect(("127.0.0.1", own)).await {
                let _ = tokio::io::copy_bidirectional(&mut outside, &mut inside).await;
            }
        });
    }
}

#[derive(Default)]
struct Run {
    name: String,
    labels: Vec<String>,
    env: Vec<String>,
    published: Option<(u16, u16)>,
    image: String,
    args: Vec<String>,
}

impl Run {
    fn of(words: &[&str]) -> Self {
        let mut run = Self::default();
        let mut words = words.iter().map(|word| (*word).to_owned());
        while let Some(word) = words.next() {
            match word.as_str() {
                "--rm" | "--interactive" | "-i" | "--init" => {}
                option if option.starts_with('-') => {
                    let value = words.next().unwrap_or_default();
                    match option {
                        "--name" => run.name = value,
                        "--label" => run.labels.push(value),
                        "--env" => run.env.push(value),
                        "--publish" => {
                            let mut parts = value.split(':').skip(1).map(str::parse);
                            if let (Some(Ok(outside)), Some(Ok(inside))) =
                                (parts.next(), parts.next())
                            {
                                run.published = Some((outside, inside));
                            }
                        }
                        _ => {}
                    }
                }
                _ => {
                    run.image = word;
                    run.args = words.collect();
                    return run;
                }
            }
        }
        run
    }
}
