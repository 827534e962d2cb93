import Core

extension ChildProcess {
  /// A Boolean value that indicates whether a debugger is attached to the child.
  package var isTraced: Bool {
    #if canImport(Darwin)
      var information = kinfo_proc()
      var size = MemoryLayout<kinfo_proc>.stride
      var name = [CTL_KERN, KERN_PROC, KERN_PROC_PID, processIdentifier]
      return sysctl(&name, UInt32(name.count), &information, &size, nil, 0) == 0
        && information.kp_proc.p_flag & P_TRACED != 0
    #else
      let status = FileManager.default.contents(atPath: "/proc/\(processIdentifier)/status")
      return String(decoding: status ?? Data(), as: UTF8.self).split(separator: "\n")
        .contains { $0.hasPrefix("TracerPid:") && !$0.hasSuffix("\t0") }
    #endif
  }
}
