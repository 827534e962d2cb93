import Core
import FirestoreModel

/// Bytes whose unsigned order is one of Firestore's orders: of values, of names, or of several in
/// sequence.
///
/// No key is a prefix of another of its kind, except that a path's key is a prefix of the keys
/// below it. So concatenated keys compare part by part, and complementing all bytes reverses the
/// order.
struct KeyBytes: Hashable, Sendable {
  private(set) var bytes: [UInt8] = []

  init() {}

  init(bytes: [UInt8]) { self.bytes = bytes }

  init(_ path: ResourcePath) {
    bytes.reserveCapacity(path.segments.reduce(0) { $0 + $1.utf8.count + 3 })
    append(path)
  }

  init(_ value: Value) { append(value) }

  /// Creates the key that all collections with an ID share, wherever they are.
  init(collectionID id: String) { append(segment: id, isCollection: true) }

  var isEmpty: Bool { bytes.isEmpty }
  var count: Int { bytes.count }

  func starts(with prefix: KeyBytes) -> Bool {
    prefix.bytes.count <= bytes.count && compareCommonBytes(with: prefix) == 0
  }

  static func == (left: KeyBytes, right: KeyBytes) -> Bool { left.bytes == right.bytes }

  func hash(into hasher: inout Hasher) {
    bytes.withUnsafeBytes { hasher.combine(bytes: $0) }
  }

  mutating func append(_ other: KeyBytes) { bytes.append(contentsOf: other.bytes) }

  /// Appends the complement of a part, which reverses the part's order.
  mutating func appendDescending(_ part: KeyBytes) {
    bytes.append(contentsOf: part.bytes.lazy.map { ~$0 })
  }
}

extension KeyBytes: Comparable {
  static func < (left: KeyBytes, right: KeyBytes) -> Bool { left.compare(to: right) < 0 }

  /// Returns a negative number, zero or a positive number if this key is before, equal to or after
  /// another.
  func compare(to other: KeyBytes) -> Int {
    let result = compareCommonBytes(with: other)
    return result != 0 ? result : bytes.count - other.bytes.count
  }

  /// Compares as `compare(to:)` does, but a key that begins with the prefix counts as equal to it.
  func compare(toPrefix prefix: KeyBytes) -> Int {
    let result = compareCommonBytes(with: prefix)
    return result != 0 ? result : min(bytes.count - prefix.bytes.count, 0)
  }

  /// Compares the bytes up to the end of the shorter key.
  private func compareCommonBytes(with other: KeyBytes) -> Int {
    let count = min(bytes.count, other.bytes.count)
    guard count > 0 else { return 0 }
    return bytes.withUnsafeBufferPointer { left in
      other.bytes.withUnsafeBufferPointer { right in
        guard let left = left.baseAddress, let right = right.baseAddress else { return 0 }
        return Int(memcmp(left, right, count))
      }
    }
  }
}

// MARK: Paths

extension KeyBytes {
  /// Appends a path: collection IDs as bytes, and document IDs behind a mark.
  ///
  /// Numeric document IDs (`__id7__`) come first.
  mutating func append(_ path: ResourcePath) {
    for (index, segment) in path.segments.enumerated() {
      append(segment: segment, isCollection: index.isMultiple(of: 2))
    }
  }

  mutating func append(segment: String, isCollection: Bool) {
    if !isCollection {
      if let number = ResourcePath.numericID(segment) {
        bytes.append(1)
        append(bigEndian: UInt64(bitPattern: number) ^ (1 << 63))
        return
      }
      bytes.append(2)
    }
    appendTerminated(segment.utf8)
  }

  /// A key that comes after every key that begins with this one.
  var successor: KeyBytes {
    var next = self
    next.bytes.append(0xFF)
    return next
  }

  /// The first key after this one.
  var next: KeyBytes {
    var next = self
    next.bytes.append(0)
    return next
  }

  private mutating func append(bigEndian number: some FixedWidthInteger) {
    withUnsafeBytes(of: number.bigEndian) { bytes.append(contentsOf: $0) }
  }

  /// Appends bytes and a terminator that sorts before any continuation: 00 01. An inner 00 becomes
  /// 00 FF.
  private mutating func appendTerminated(_ content: some Collection<UInt8>) {
    let start = bytes.count
    bytes.append(contentsOf: content)
    if bytes[start...].contains(0) {
      bytes.removeSubrange(start...)
      for byte in content {
        bytes.append(byte)
        if byte == 0 { bytes.append(0xFF) }
      }
    }
    bytes.append(0)
    bytes.append(1)
  }
}

// MARK: Values

extension KeyBytes {
  /// The number of a value's bytes that decide its position.
  ///
  /// Longer values with the same beginning tie, as in production's indexes. An operand of this
  /// length has to be compared with the document itself.
  static let maximumIndexedBytes = 1_500

  /// Returns the mark in front of values of a type, in the order of types.
  private static func mark(_ type: Value.TypeOrder) -> UInt8 { UInt8(type.rawValue) * 8 + 8 }

  /// Creates a key before every comparable value of the type. NaN isn't comparable.
  init(startOf type: Value.TypeOrder) {
    bytes = type == .number ? [Self.mark(type), 1] : [Self.mark(type)]
  }

  /// Creates a key after every value of the type and before those of the next.
  init(endOf type: Value.TypeOrder) { bytes = [Self.mark(type) + 1] }

  /// Creates the key of a whole value. Keys are equal exactly if no comparison distinguishes the
  /// values.
  init(whole value: Value) { append(value, upTo: .max) }

  mutating func append(_ value: Value) {
    let start = bytes.count
    append(value, upTo: Self.maximumIndexedBytes)
    if bytes.count - start > Self.maximumIndexedBytes {
      bytes.removeSubrange((start + Self.maximumIndexedBytes)...)
    }
  }

  /// Appends a value.
  ///
  /// - Parameter limit: The number of bytes that are needed. Later bytes may be left out.
  private mutating func append(_ value: Value, upTo limit: Int) {
    let type = value.typeOrder
    bytes.append(Self.mark(type))
    switch value.comparable {
    case .null: break
    case .boolean(let boolean): bytes.append(boolean ? 1 : 0)
    case .integer(let integer): append(number: integer)
    case .double(let double): append(number: double)
    case .timestamp(let time):
      append(bigEndian: UInt64(bitPattern: time.seconds) ^ (1 << 63))
      append(bigEndian: UInt32(bitPattern: time.nanoseconds))
    case .string(let string): appendTerminated(string.utf8.prefix(limit))
    case .bytes(let data): appendTerminated(data.prefix(limit))
    case .reference(let name): append(reference: name)
    case .geoPoint(let latitude, let longitude):
      append(ordered: latitude)
      append(ordered: longitude)
    case .array(let values): appendElements(values, upTo: limit)
    case .map(let fields):
      if type == .vector {
        let elements = fields["value"]?.arrayValue ?? []
        append(bigEndian: UInt32(elements.count))
        appendElements(elements, upTo: limit)
      } else {
        appendMembers(fields, upTo: limit)
      }
    }
  }

  private mutating func appendElements(_ values: [Value], upTo limit: Int) {
    let start = bytes.count
    for value in values {
      append(value, upTo: limit)
      if bytes.count - start > limit { return }
    }
    bytes.append(0)
  }

  private mutating func appendMembers(_ fields: Fields, upTo limit: Int) {
    let start = bytes.count
    for (name, value) in fields.sorted(by: { $0.key < $1.key }) {
      bytes.append(1)
      appendTerminated(name.utf8)
      append(value, upTo: limit)
      if bytes.count - start > limit { return }
    }
    bytes.append(0)
  }

  /// Appends a number: NaN first, all others by exact value.
  ///
  /// The bytes are those of the nearest double at or below it, then an integer's distance from that
  /// double.
  private mutating func append(number double: Double) {
    guard !double.isNaN else { return bytes.append(0) }
    bytes.append(1)
    append(ordered: double)
    if abs(double) >= 0x1p53 { append(bigEndian: UInt16(0)) }
  }

  private mutating func append(number integer: Int64) {
    bytes.append(1)
    var double = Double(integer)
    if double >= 0x1p63 || Int64(double) > integer { double = double.nextDown }
    append(ordered: double)
    if abs(double) >= 0x1p53 { append(bigEndian: UInt16(integer - Int64(double))) }
  }

  /// Appends a double's bits so that they sort like the numbers. Both zeros are equal.
  private mutating func append(ordered double: Double) {
    let bits = (double == 0 ? 0.0 : double).bitPattern
    append(bigEndian: bits >> 63 == 1 ? ~bits : bits | (1 << 63))
  }

  private mutating func append(reference text: String) {
    guard let name = try? DocumentName(text) else { return appendTerminated(text.utf8) }
    appendTerminated(name.database.description.utf8)
    append(name.path)
    // No ID begins with these bytes.
    bytes.append(0)
    bytes.append(0)
  }
}
