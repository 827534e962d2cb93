/// A detached thread, which runs work that blocks.
package enum DetachedThread {
  private final class Body: Sendable {
    let run: @Sendable () -> Void

    init(_ run: @escaping @Sendable () -> Void) { self.run = run }
  }

  /// Runs `body` on a new thread.
  ///
  /// - Parameter stackSize: The size of the stack in bytes, or `nil` for the system's default.
  /// - Returns: 0, or an errno value if the system can't create a thread. In that case `body`
  ///   doesn't run.
  package static func start(
    stackSize: Int? = nil,
    _ body: @escaping @Sendable () -> Void
  ) -> Int32 {
    var attributes = pthread_attr_t()
    pthread_attr_init(&attributes)
    defer { pthread_attr_destroy(&attributes) }
    pthread_attr_setdetachstate(&attributes, Int32(PTHREAD_CREATE_DETACHED))
    if let stackSize { pthread_attr_setstacksize(&attributes, stackSize) }
    #if canImport(Darwin)
      var thread: pthread_t?
    #else
      var thread = pthread_t()
    #endif
    let argument = Unmanaged.passRetained(Body(body))
    let error = pthread_create(
      &thread,
      &attributes,
      { argument in
        DetachedThread.run(argument)
        return nil
      },
      argument.toOpaque()
    )
    if error != 0 { argument.release() }
    return error
  }

  /// Runs the body. The pointer is optional, because `pthread_create` declares it so on one of the
  /// two platforms.
  private static func run(_ argument: UnsafeMutableRawPointer?) {
    guard let argument else { return }
    Unmanaged<Body>.fromOpaque(argument).takeRetainedValue().run()
  }
}
