import Core
import Dispatch

/// A thread with a large stack, for code that recurses deeply.
///
/// The stacks of other threads may have only 512 KiB, as on macOS.
enum LargeStack {
  /// An evaluation has at most 1,000 levels, of less than 16 KiB each in a debug build.
  private static let size = 32 << 20

  /// Runs a closure on a new thread, and waits for its result.
  ///
  /// - Returns: The result, or `nil` if the system can't create a thread.
  static func run<Success>(_ body: () -> Success) -> Success? {
    withoutActuallyEscaping(body) { body in
      let work = Work(body)
      let end = DispatchSemaphore(value: 0)
      let error = DetachedThread.start(stackSize: size) {
        work.run()
        end.signal()
      }
      guard error == 0 else {
        work.body = nil
        return nil
      }
      end.wait()
      return work.result
    }
  }

  /// A closure and its result. Only one thread at a time uses them, as the semaphore ensures.
  private final class Work<Success>: @unchecked Sendable {
    var body: (() -> Success)?
    var result: Success?

    init(_ body: @escaping () -> Success) { self.body = body }

    func run() {
      result = body?()
      // The closure must not outlive the call of `LargeStack.run`.
      body = nil
    }
  }
}
