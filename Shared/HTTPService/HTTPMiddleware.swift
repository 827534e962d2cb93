/// A service that wraps another one.
///
/// Its name and the results of `runsOnEventLoop` and `streamsBody` are those of the wrapped service.
package protocol HTTPMiddleware: HTTPService {
  /// The wrapped service.
  var service: any HTTPService { get }
}

extension HTTPMiddleware {
  package var name: String { service.name }

  package func runsOnEventLoop(_ request: ServiceRequest) -> Bool {
    service.runsOnEventLoop(request)
  }

  package func streamsBody(of head: RequestHead) -> Bool { service.streamsBody(of: head) }
}
