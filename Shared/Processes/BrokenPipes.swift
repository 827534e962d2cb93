import Platform

/// Makes a write to a pipe without a reader fail instead of ending this process.
///
/// Call it once at start. Children get the default back.
package func ignoreBrokenPipes() {
  signal(SIGPIPE, SIG_IGN)
}
