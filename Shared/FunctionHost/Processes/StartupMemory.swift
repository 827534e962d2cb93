import CProcess

/// Gives back what only the start needed: an emulator that idles beside an editor and a simulator
/// keeps half of the memory it started with, a server in its container as little.
package func releaseStartupMemory() {
  cprocess_release_startup_memory()
}
