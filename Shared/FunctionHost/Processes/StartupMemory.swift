import CProcess

/// Gives memory that was needed only during startup back to the system: about half of what an idle
/// emulator or server uses.
package func releaseStartupMemory() {
  cprocess_release_startup_memory()
}
