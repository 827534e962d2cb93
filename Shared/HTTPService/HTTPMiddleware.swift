/// A service that wraps another one.
///
/// Its name and the result of `runsOnEventLoop` are those of the wrapped service.
package protocol HTTPMiddleware: HTTPService {
  /// The wrapped service.
  var service: any HTTPService { get }
}

extension HTTPMiddleware {
  package var name: String { service.name }

  package func runsOnEventLoop(_ request: ServiceRequest) -> Bool {
    service.runsOnEventLoop(request)
  }
}
