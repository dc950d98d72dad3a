//! Copies the bytes of HTTP connections to another port, which is the minimum work of a gateway.
//!
//! relay PORT
//!
//! It listens on a free port and prints the port.

use std::io::{self, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::thread;

fn main() -> io::Result<()> {
    let port: Option<u16> = std::env::args().nth(1).and_then(|port| port.parse().ok());
    let port = port.ok_or_else(|| io::Error::other("the one argument is a port"))?;
    let listener = TcpListener::bind(("127.0.0.1", 0))?;
    println!("{}", listener.local_addr()?.port());
    for client in listener.incoming() {
        let client = client?;
        let server = TcpStream::connect(("127.0.0.1", port))?;
        for stream in [&client, &server] {
            stream.set_nodelay(true)?;
        }
        let back = (server.try_clone()?, client.try_clone()?);
        thread::spawn(move || copy(client, server));
        thread::spawn(move || copy(back.0, back.1));
    }
    Ok(())
}

/// Copies until one side closes.
fn copy(mut from: TcpStream, mut to: TcpStream) -> io::Result<()> {
    let mut buffer = [0; 64 * 1024];
    loop {
        match from.read(&mut buffer)? {
            0 => return to.shutdown(std::net::Shutdown::Write),
            length => to.write_all(&buffer[..length])?,
        }
    }
}
