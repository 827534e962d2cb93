import Platform

/// Where the services listen, once they do.
package struct Addresses: Sendable {
  package struct Address: Sendable, Codable, CustomStringConvertible {
    package var host: String
    package var port: Int

    package init(host: String, port: Int) {
      self.host = host
      self.port = port
    }

    /// The address for clients on this machine: a wildcard is none.
    package var reachable: Address {
      switch host {
      case "0.0.0.0": Address(host: "127.0.0.1", port: port)
      case "::": Address(host: "::1", port: port)
      default: self
      }
    }

    /// `host:port`, as Firebase's variables have it.
    package var description: String { host.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)" }
  }

  /// What the hub's `GET /emulators` says of each service.
  struct Emulator: Encodable {
    var name: String
    var host: String
    var port: Int
    var pid: Int32
    var listen: [Listen]
  }

  struct Listen: Encodable {
    var address: String
    var family: String
    var port: Int
  }

  /// By the service's name: what the ready file holds.
  package private(set) var all: [String: Address] = [:]

  package init() {}

  package subscript(name: String) -> Address? {
    get { all[name] }
    set { all[name] = newValue }
  }

  var emulators: [String: Emulator] {
    Dictionary(
      uniqueKeysWithValues: all.map { name, address in
        let family = address.host.contains(":") ? "IPv6" : "IPv4"
        return (
          name,
          Emulator(
            name: name,
            host: address.host,
            port: address.port,
            pid: getpid(),
            listen: [Listen(address: address.host, family: family, port: address.port)]
          )
        )
      }
    )
  }
}
