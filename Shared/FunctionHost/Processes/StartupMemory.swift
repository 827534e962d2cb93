import CProcess

/// Returns to the system the memory that only startup needed, about half of an idle emulator's or
/// server's.
package func releaseStartupMemory() {
  cprocess_release_startup_memory()
}
