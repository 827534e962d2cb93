/// An executor that runs a function's code and waits for the next event on the same thread.
package protocol FunctionExecutor: TaskExecutor {
  /// Waits until one of these file descriptors has input or is at its end, or until the executor
  /// ends.
  func waitForInput(on descriptors: [Int32]) async
}
