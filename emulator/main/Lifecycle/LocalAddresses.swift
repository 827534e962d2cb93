import Core

/// The addresses of this machine's network interfaces, without loopback.
enum LocalAddresses {
  /// The IPv4 addresses, which are enough for phones on the same network.
  static var all: [String] {
    var first: UnsafeMutablePointer<ifaddrs>?
    guard getifaddrs(&first) == 0 else { return [] }
    defer { freeifaddrs(first) }
    var addresses: [String] = []
    var next = first
    while let interface = next?.pointee {
      next = interface.ifa_next
      guard let address = interface.ifa_addr, address.pointee.sa_family == sa_family_t(AF_INET)
      else { continue }
      var text = [CChar](repeating: 0, count: Int(INET_ADDRSTRLEN))
      let isWritten = address.withMemoryRebound(to: sockaddr_in.self, capacity: 1) { internet in
        var number = internet.pointee.sin_addr
        return inet_ntop(AF_INET, &number, &text, socklen_t(text.count)) != nil
      }
      guard isWritten else { continue }
      let name = String(
        decoding: text.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)),
        as: UTF8.self
      )
      if !name.hasPrefix("127.") { addresses.append(name) }
    }
    return addresses
  }
}
