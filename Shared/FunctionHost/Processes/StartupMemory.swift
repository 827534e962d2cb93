import CProcess

/// Releases the memory that was needed only during startup: about half of the memory of an idle
/// emulator or server.
package func releaseStartupMemory() {
  cprocess_release_startup_memory()
}
