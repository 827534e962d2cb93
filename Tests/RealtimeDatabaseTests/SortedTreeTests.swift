import Testing

@testable import RealtimeDatabase

@Suite("A sorted tree")
struct SortedTreeTests {
  @Test("is like a sorted array after any changes", arguments: 0..<10)
  func model(_ seed: Int) {
    var tree = SortedTree<Int, Int>()
    var model: [Int: Int] = [:]
    var state = UInt64(seed) &* 0x9E37_79B9_7F4A_7C15 | 1
    func random(_ limit: Int) -> Int {
      state ^= state << 13
      state ^= state >> 7
      state ^= state << 17
      return Int(state % UInt64(limit))
    }
    var kept: [(SortedTree<Int, Int>, [Int: Int])] = []
    for step in 0..<2_000 {
      let key = random(300)
      let value = random(4) == 0 || step > 1_500 && random(2) == 0 ? nil : step
      tree[key] = value
      model[key] = value
      if step.isMultiple(of: 400) { kept.append((tree, model)) }
      guard step.isMultiple(of: 50) else { continue }
      let keys = model.keys.sorted()
      #expect(tree.map(\.key) == keys && tree.count == keys.count)
      let bound = random(320)
      let rank = tree.rank { $0 < bound }
      #expect(rank == keys.count { $0 < bound })
      if rank < keys.count { #expect(tree[rank: rank].key == keys[rank]) }
      #expect(tree[bound] == model[bound])
    }
    for (old, oldModel) in kept {
      #expect(Dictionary(uniqueKeysWithValues: old.map { ($0, $1) }) == oldModel)
      var keys: [Int] = []
      old.forEachDifference(to: tree) { key, before, after in
        keys.append(key)
        #expect(before == oldModel[key] && after == model[key])
      }
      #expect(keys == keys.sorted())
      let changed = Set(oldModel.keys).union(model.keys).filter { oldModel[$0] != model[$0] }
      #expect(changed.isSubset(of: keys))
    }
    let sorted = SortedTree(
      sorted: model.sorted { $0.key < $1.key }.map { (key: $0.key, value: $0.value) }
    )
    #expect(sorted.map(\.key) == model.keys.sorted())
  }

  @Test("finds a change without looking at what two states share")
  func sharing() {
    var tree = SortedTree<Int, Int>(sorted: (0..<100_000).map { (key: 2 * $0, value: $0) })
    for key in [0, 77_777, 100_000, 199_998] {
      let before = tree
      tree[key] = key.isMultiple(of: 4) ? nil : -1
      var visited: [Int] = []
      before.forEachDifference(to: tree) { key, _, _ in visited.append(key) }
      #expect(visited.contains(key) && visited.count < 50)
    }
  }

  @Test("stays flat when keys ascend")
  func ascending() {
    var tree = SortedTree<Int, Int>()
    for key in 0..<100_000 { tree[key] = key }
    for key in 0..<99_990 { tree[key] = nil }
    #expect(tree.map(\.key) == Array(99_990..<100_000))
  }
}
