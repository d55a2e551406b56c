//! What the page calls. WebAssembly has one thread here, so the state needs no lock.

use crate::engine::{Engine, Reply};
use std::cell::RefCell;

thread_local! {
    static ENGINE: RefCell<Engine> = RefCell::default();
    static ANSWER: RefCell<Vec<u8>> = const { RefCell::new(Vec::new()) };
}

#[link(wasm_import_module = "env")]
unsafe extern "C" {
    safe fn tell(done: u32, of: u32);
    safe fn now() -> f64;
}

/// Tells the page how far long work is.
pub fn tell_page(done: usize, of: usize) {
    tell(done as u32, of as u32);
}

/// Seconds since some time, by the page's clock.
pub fn seconds() -> f64 {
    now() / 1000.0
}

/// The kinds of an answer.
const DOCUMENT: u32 = 0;
const FAILURE: u32 = 1;
const BYTES: u32 = 2;

/// Memory for the page to write so many bytes into; null where there is none. [`call`] takes it back.
#[unsafe(no_mangle)]
pub extern "C" fn alloc(length: usize) -> *mut u8 {
    let mut memory: Vec<u8> = Vec::new();
    if memory.try_reserve_exact(length).is_err() {
        return std::ptr::null_mut();
    }
    memory.resize(length, 0);
    Box::into_raw(memory.into_boxed_slice()).cast::<u8>()
}

/// Answers a call: the kind of the answer, which [`answer_start`] and [`answer_length`] point to.
///
/// # Safety
/// Each pointer comes from [`alloc`] with its length, and is given away.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn call(request: *mut u8, request_length: usize, file: *mut u8, file_length: usize) -> u32 {
    // SAFETY: the caller's promise.
    let (request, file) = unsafe { (taken(request, request_length), taken(file, file_length)) };
    // A panic stops the module for good; its message is left as the answer, for the report of the defect.
    std::panic::set_hook(Box::new(|panic| {
        ANSWER.replace(panic.to_string().into_bytes());
    }));
    ANSWER.replace(Vec::new());
    let answered = ENGINE.with_borrow_mut(|engine| engine.call(&request, &file));
    let (kind, bytes) = match answered {
        Ok(Reply::Document(text)) => (DOCUMENT, text),
        Ok(Reply::Bytes(bytes)) => (BYTES, bytes),
        Err(failure) => (FAILURE, serde_json::to_vec(&failure).unwrap_or_default()),
    };
    ANSWER.replace(bytes);
    kind
}

/// Where the last answer begins.
#[unsafe(no_mangle)]
pub extern "C" fn answer_start() -> *const u8 {
    ANSWER.with_borrow(Vec::as_ptr)
}

/// How many bytes it has.
#[unsafe(no_mangle)]
pub extern "C" fn answer_length() -> usize {
    ANSWER.with_borrow(Vec::len)
}

/// The bytes that the page wrote.
///
/// # Safety
/// The pointer comes from [`alloc`] with this length, and nobody else uses it.
unsafe fn taken(start: *mut u8, length: usize) -> Box<[u8]> {
    if start.is_null() {
        return Box::default();
    }
    // SAFETY: `alloc` made it from a boxed slice of this length.
    unsafe { Box::from_raw(std::ptr::slice_from_raw_parts_mut(start, length)) }
}
