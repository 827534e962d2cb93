import CLibcrypto
import CLibcurl
import Core

/// The loop of the transfer thread, which runs all transfers of a client over shared connections.
final class TransferLoop {
  /// A Boolean value that indicates whether libcurl's global initialization succeeded. It is done
  /// once per process. Its flags have had no effect since libcurl 7.57.
  private static let isPrepared =
    clibcrypto_initialize() == 1 && curl_global_init(Int(CURL_GLOBAL_DEFAULT)) == CURLE_OK
  /// The maximum number of unused handles that are kept for reuse.
  private static let maximumSpareHandles = 16
  /// The maximum number of idle connections that are kept open. libcurl's default is four per
  /// transfer in progress. When transfers end, it would close connections that the next requests
  /// need.
  private static let maximumConnections = 128

  private let queue: TransferQueue
  private let userAgent: String
  private let configuration: HTTPClientConfiguration
  private var transfers: [UnsafeMutableRawPointer: HTTPTransfer] = [:]
  private var spareHandles: [EasyHandle] = []
  private var watches: [InputWatch] = []

  init(_ queue: TransferQueue, userAgent: String, configuration: HTTPClientConfiguration) {
    self.queue = queue
    self.userAgent = userAgent
    self.configuration = configuration
  }

  /// Runs transfers until the queue is stopped, then closes all connections.
  func run() {
    if Self.isPrepared, let multi = curl_multi_init() {
      curl_set_multi_number(multi, CURLMOPT_MAXCONNECTS, Self.maximumConnections)
      queue.attach(multi)
      while turn(multi) {}
      for transfer in transfers.values {
        finish(transfer, .failure(transfer.job.cancelled), multi)
      }
      spareHandles = []
      for watch in watches { watch.continuation.resume() }
      queue.detach().refuse { $0.cancelled }
      curl_multi_cleanup(multi)
    } else {
      queue.detach().refuse { StatusError(.internal, "\($0.target): libcurl can't start") }
    }
    queue.announceEnd()
  }

  /// Executes the queued commands, sends and receives bytes, then waits for the next event.
  ///
  /// - Returns: `false` if the loop must end.
  private func turn(_ multi: UnsafeMutableRawPointer) -> Bool {
    let batch = queue.nextBatch()
    for command in batch.commands {
      switch command {
      case .start(let job): start(job, multi)
      case .cancel(let identifier): cancel(identifier, multi)
      case .run(let job, let executor): job.runSynchronously(on: executor)
      case .watch(let watch): watches.append(watch)
      }
    }
    if batch.isLast { return false }
    if !transfers.isEmpty {
      var running: Int32 = 0
      curl_multi_perform(multi, &running)
      finishEnded(multi)
    }
    if queue.isEmpty { wait(multi) }
    return true
  }

  /// Waits until a connection or watched descriptor is ready, or another thread wakes this one up.
  /// If there was a wake-up since the last wait, returns at once. Idle connections aren't polled.
  private func wait(_ multi: UnsafeMutableRawPointer) {
    var descriptors = watches.flatMap(\.descriptors).map {
      curl_waitfd(fd: $0, events: Int16(CURL_WAIT_POLLIN), revents: 0)
    }
    curl_multi_poll(multi, &descriptors, UInt32(descriptors.count), Int32.max, nil)
    watches.removeAll { watch in
      guard watch.hasInput else { return false }
      watch.continuation.resume()
      return true
    }
  }

  private func start(_ job: TransferJob, _ multi: UnsafeMutableRawPointer) {
    guard let handle = spareHandles.popLast() ?? EasyHandle() else {
      return job.finish(.failure(StatusError(.internal, "\(job.target): libcurl is out of memory")))
    }
    do throws(StatusError) {
      let transfer = try HTTPTransfer(
        job,
        handle: handle,
        userAgent: userAgent,
        configuration: configuration
      )
      guard curl_multi_add_handle(multi, handle.pointer) == CURLM_OK else {
        throw StatusError(.internal, "\(job.target): libcurl refused the transfer")
      }
      transfers[handle.pointer] = transfer
    } catch {
      job.finish(.failure(error))
    }
  }

  private func cancel(_ identifier: UInt64, _ multi: UnsafeMutableRawPointer) {
    guard let transfer = transfers.values.first(where: { $0.job.identifier == identifier }) else {
      return
    }
    finish(transfer, .failure(transfer.job.cancelled), multi)
  }

  private func finishEnded(_ multi: UnsafeMutableRawPointer) {
    var remaining: Int32 = 0
    while let message = curl_multi_info_read(multi, &remaining) {
      guard message.pointee.msg == CURLMSG_DONE, let handle = message.pointee.easy_handle,
        let transfer = transfers[handle]
      else { continue }
      finish(transfer, transfer.outcome(message.pointee.data.result), multi)
    }
  }

  private func finish(
    _ transfer: HTTPTransfer,
    _ outcome: Result<HTTPResponse, StatusError>,
    _ multi: UnsafeMutableRawPointer
  ) {
    curl_multi_remove_handle(multi, transfer.handle.pointer)
    transfers[transfer.handle.pointer] = nil
    if spareHandles.count < Self.maximumSpareHandles { spareHandles.append(transfer.handle) }
    transfer.job.finish(outcome)
  }
}
