/// The thread on which a function's code runs, and on which its process waits for the next event.
package protocol FunctionExecutor: TaskExecutor {
  /// Returns when one of these file descriptors has something to read or has come to its end, or when
  /// the executor ends.
  func waitForInput(on descriptors: [Int32]) async
}
