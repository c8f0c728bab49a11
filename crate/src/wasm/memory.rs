//! Memory that the browser refused, so that a trap for want of it can be told from any other.

use std::alloc::{GlobalAlloc, Layout, System};
use std::sync::atomic::{AtomicBool, Ordering};

use wasm_bindgen::prelude::wasm_bindgen;

/// Whether memory was ever refused.
static REFUSED: AtomicBool = AtomicBool::new(false);

/// The standard allocator, which also notes when it gets no more memory.
struct Noting;

#[global_allocator]
static ALLOCATOR: Noting = Noting;

fn noted(pointer: *mut u8) -> *mut u8 {
    if pointer.is_null() {
        REFUSED.store(true, Ordering::Relaxed);
    }
    pointer
}

// SAFETY: every call is handed to the standard allocator as it came, and its answer handed back.
unsafe impl GlobalAlloc for Noting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        // SAFETY: as promised to this function.
        noted(unsafe { System.alloc(layout) })
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        // SAFETY: as promised to this function.
        noted(unsafe { System.alloc_zeroed(layout) })
    }

    unsafe fn realloc(&self, pointer: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        // SAFETY: as promised to this function.
        noted(unsafe { System.realloc(pointer, layout, size) })
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        // SAFETY: as promised to this function.
        unsafe { System.dealloc(pointer, layout) }
    }
}

/// Says whether the browser has refused memory, also after a trap.
#[wasm_bindgen]
#[must_use]
pub fn memory_refused() -> bool {
    REFUSED.load(Ordering::Relaxed)
}
