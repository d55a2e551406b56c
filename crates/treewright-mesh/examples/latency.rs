//! How long a sum over several processes takes: `cargo run --release -p treewright-mesh --example latency -- 2`.

#![allow(clippy::unwrap_used)]

use std::io::{BufRead, BufReader, Write};
use std::process::{Child, Command, Stdio};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Instant;
use treewright_core::prelude::Peers;
use treewright_mesh::{Listener, Mesh, Place, Settings};

/// Words of a sum: the histogram of a node with 28 columns, more, and much more; with the number of sums of each.
const SUMS: [(usize, usize); 4] = [(1, 5_000), (7_169, 5_000), (131_072, 300), (5_000_000, 10)];

fn main() {
    let arguments: Vec<String> = std::env::args().collect();
    let size = arguments[1].parse().unwrap();
    match arguments.get(2) {
        None => start(size),
        Some(rank) => take_part(rank.parse().unwrap(), size),
    }
}

/// Starts the processes and tells each where the others are.
fn start(size: usize) {
    let program = std::env::current_exe().unwrap();
    let spawn = |rank: usize| -> Child {
        let mut command = Command::new(&program);
        command.args([size.to_string(), rank.to_string()]).stdin(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap()
    };
    let mut children: Vec<Child> = (0..size).map(spawn).collect();
    let mut readers: Vec<_> = children.iter_mut().map(|child| BufReader::new(child.stderr.take().unwrap())).collect();
    let mut table = String::new();
    for reader in &mut readers {
        reader.read_line(&mut table).unwrap();
    }
    let line = table.split_whitespace().collect::<Vec<_>>().join(" ");
    for child in &mut children {
        writeln!(child.stdin.as_mut().unwrap(), "{line}").unwrap();
    }
    children.iter_mut().for_each(|child| _ = child.wait().unwrap());
}

fn take_part(rank: usize, size: usize) {
    let listener = Listener::bind("127.0.0.1", 0).unwrap();
    eprintln!("{}", listener.address().unwrap());
    let mut line = String::new();
    std::io::stdin().read_line(&mut line).unwrap();
    let addresses: Vec<String> = line.split_whitespace().map(String::from).collect();
    let place = Place { fit: Place::fit("latency"), attempt: 0, rank, size, secret: [1; 32] };
    let closed = Arc::new(AtomicBool::new(false));
    let mesh = Mesh::connect(listener, place, &addresses, Settings::default(), closed).unwrap();
    for (count, repeats) in SUMS {
        let mut words = vec![rank as u64; count];
        let mut times: Vec<f64> = Vec::new();
        for _ in 0..repeats {
            let start = Instant::now();
            mesh.add(&mut words).unwrap();
            times.push(start.elapsed().as_secs_f64() * 1e3);
        }
        times.sort_by(f64::total_cmp);
        if rank == 0 {
            let (least, tenth, median) = (times[0], times[repeats / 10], times[repeats / 2]);
            let rate = (count * 8) as f64 / median / 1e6;
            println!("{count:>9} words: {least:.4} / {tenth:.4} / {median:.4} ms (least, 10%, median), {rate:.2} GB/s");
        }
    }
    if rank == 0 {
        println!("{:?}", mesh.counters());
    }
}
