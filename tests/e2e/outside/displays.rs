//! The window's position with two displays side by side.

use std::io;
use std::path::Path;

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::UnixStream;
use tokio::process::Command;
use tokio::time::timeout;

use super::OnScreen;
use super::places::{is_kept, stands};
use crate::desktop::{Desktop, Home, LIMIT, until};
use crate::display::Display;
use crate::screen::{Geometry, Screen};

const LEFT: Geometry = (0, 0, 1400, 1000);
const RIGHT: Geometry = (1400, 0, 1200, 900);

async fn open_on(home: &Home, displays: &[Geometry]) -> OnScreen {
    let display = side_by_side(displays).await;
    OnScreen::of(Desktop::open_on(display, home).await).await
}

/// Starts a server with displays side by side.
///
/// Xvfb has a fixed set of displays. `Xvnc` accepts requests for more displays from remote viewers,
/// which connect to a socket.
async fn side_by_side(displays: &[Geometry]) -> Display {
    // This folder is outside the home folder, because a process with the home folder in its command
    // counts as a process of the window.
    let folder = tempfile::tempdir().expect("a folder");
    let socket = folder.path().join("orders");
    let mut server = Command::new("Xvnc");
    server.args(["-depth", "24", "-SecurityTypes", "None", "-rfbport", "-1"]);
    server.arg("-rfbunixpath").arg(&socket);
    let display = Display::of(&mut server).await;
    let ordered = timeout(LIMIT, order(&socket, displays)).await;
    let ordered = ordered.expect("the order is taken within the limit");
    ordered.expect("the server of the displays takes the order");
    let screen = Screen::of(display.number());
    until("the displays are there", async || {
        (screen.displays() == displays).then_some(())
    })
    .await;
    display
}

/// Requests displays with the Remote Framebuffer Protocol (RFC 6143) and its community extension
/// `SetDesktopSize`.
async fn order(socket: &Path, displays: &[Geometry]) -> io::Result<()> {
    const VERSION: &[u8; 12] = b"RFB 003.008\n";
    /// A password is not necessary, since only the test can reach the socket.
    const NO_PASSWORD: u8 = 1;
    const SHARED: u8 = 1;
    const SET_ENCODINGS: u8 = 2;
    const EXTENDED_DESKTOP_SIZE: i32 = -308;
    const SET_DESKTOP_SIZE: u8 = 251;

    let mut server = UnixStream::connect(socket).await?;
    server.read_exact(&mut [0; VERSION.len()]).await?;
    server.write_all(VERSION).await?;
    // The server's authentication methods, one byte each.
    let ways = server.read_u8().await?;
    server.read_exact(&mut vec![0; usize::from(ways)]).await?;
    server.write_u8(NO_PASSWORD).await?;
    assert_eq!(server.read_u32().await?, 0, "nobody is kept out");
    server.write_u8(SHARED).await?;
    // The width, height and pixel format of the screen, and its name.
    server.read_exact(&mut [0; 20]).await?;
    let name = server.read_u32().await?;
    server.read_exact(&mut vec![0; name as usize]).await?;

    let mut says = vec![SET_ENCODINGS, 0, 0, 1];
    says.extend(EXTENDED_DESKTOP_SIZE.to_be_bytes());
    let edge = |at: i16, length: u16| at.unsigned_abs() + length;
    let right = displays.iter().map(|one| edge(one.0, one.2)).max();
    let bottom = displays.iter().map(|one| edge(one.1, one.3)).max();
    says.extend([SET_DESKTOP_SIZE, 0]);
    for length in [right, bottom] {
        says.extend(length.unwrap_or_default().to_be_bytes());
    }
    let count = u8::try_from(displays.len()).expect("some displays");
    says.extend([count, 0]);
    for (number, (x, y, width, height)) in (0_u32..).zip(displays) {
        says.extend(number.to_be_bytes());
        says.extend([x.to_be_bytes(), y.to_be_bytes()].concat());
        says.extend([width.to_be_bytes(), height.to_be_bytes()].concat());
        says.extend([0; 4]);
    }
    server.write_all(&says).await?;
    server.flush().await
}

#[tokio::test]
async fn window_returns_to_a_reconnected_display() {
    const PUT: Geometry = (1500, 100, 900, 650);
    const MOVED: Geometry = (60, 80, 1000, 700);

    let home = Home::empty();
    let shown = open_on(&home, &[LEFT, RIGHT]).await;
    shown.screen.put(shown.own, PUT);
    is_kept(&home, PUT).await;
    shown.window.quit().await;

    let shown = open_on(&home, &[LEFT, RIGHT]).await;
    stands(&shown, PUT).await;
    shown.window.quit().await;

    let shown = open_on(&home, &[LEFT]).await;
    stands(&shown, (500, 100, 900, 650)).await;
    shown.screen.put(shown.own, MOVED);
    is_kept(&home, MOVED).await;
    shown.window.quit().await;

    // The second display is back. The program stores a window position for each set of displays.
    let shown = open_on(&home, &[LEFT, RIGHT]).await;
    stands(&shown, PUT).await;
    shown.window.quit().await;
    let shown = open_on(&home, &[LEFT]).await;
    stands(&shown, MOVED).await;
    shown.window.quit().await;
}
