package gatebook.events.keys.store;

import gatebook.events.keys.ContentKey;
import gatebook.events.keys.ContentOwner;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.IntPredicate;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * An index of keys in memory by id and by owner, at about 80 bytes a key, and of the ids of erased
 * keys, at 8 bytes each. Not safe for use by several threads.
 */
final class KeyIndex {

  private static final int ROWS_MIN = 16;
  private static final int OF_NODE = -1;

  private final List<String> names = new ArrayList<>();
  private final Map<String, Integer> nameNumbers = new HashMap<>();
  private long[] erased;
  private long[] ids = new long[ROWS_MIN];
  private long[] madeAt = new long[ROWS_MIN];
  private int[] principals = new int[ROWS_MIN];
  private int[] days = new int[ROWS_MIN];
  private byte[] keys = new byte[ROWS_MIN * ContentKey.BYTES];
  private int size;

  /** Hash tables of row numbers from 1, by linear probing; 0 is an empty slot. */
  private int[] byId = new int[2 * ROWS_MIN];

  private int[] byOwner = new int[2 * ROWS_MIN];

  /**
   * An index without keys.
   *
   * @param erased the ids of erased keys
   */
  KeyIndex(LongStream erased) {
    this.erased = erased.sorted().distinct().toArray();
  }

  boolean isEmpty() {
    return size == 0 && erased.length == 0;
  }

  int size() {
    return size;
  }

  /** The ids of erased keys, ascending. */
  LongStream erased() {
    return Arrays.stream(erased);
  }

  boolean isErased(long id) {
    return Arrays.binarySearch(erased, id) >= 0;
  }

  boolean has(long id) {
    return byId[slotOf(id)] != 0;
  }

  /**
   * Adds a key, which is the current one of its owner from now on; not one that is there or was
   * erased.
   */
  void add(PlainKey key) {
    if (has(key.id()) || isErased(key.id())) {
      return;
    }
    if (size == ids.length) {
      grow();
    }
    int row = size++;
    ids[row] = key.id();
    madeAt[row] = key.madeAtMillis();
    principals[row] = number(key.owner().principal());
    days[row] = (int) key.owner().day().toEpochDay();
    System.arraycopy(key.bytes(), 0, keys, row * ContentKey.BYTES, ContentKey.BYTES);
    byId[slotOf(key.id())] = row + 1;
    byOwner[slotOf(principals[row], days[row])] = row + 1;
  }

  @Nullable PlainKey byId(long id) {
    int entry = byId[slotOf(id)];
    return entry == 0 ? null : row(entry - 1);
  }

  /** The current key of an owner. */
  @Nullable PlainKey byOwner(ContentOwner owner) {
    Integer number = OF_NODE;
    if (owner.principal() != null) {
      number = nameNumbers.get(owner.principal());
    }
    if (number == null) {
      return null;
    }
    int entry = byOwner[slotOf(number, (int) owner.day().toEpochDay())];
    return entry == 0 ? null : row(entry - 1);
  }

  /** How many keys are of a day. */
  int count(LocalDate day) {
    int number = (int) day.toEpochDay();
    return (int) Arrays.stream(days, 0, size).filter(each -> each == number).count();
  }

  /** All keys in the order in which they were added. */
  Stream<PlainKey> all() {
    return IntStream.range(0, size).mapToObj(this::row);
  }

  /** How many keys were made after a time. */
  long madeAfter(long millis) {
    return IntStream.range(0, size).filter(row -> madeAt[row] > millis).count();
  }

  List<StoredKey> list(KeySelection selection) {
    return IntStream.range(0, size)
        .filter(row -> selection.test(owner(row)))
        .mapToObj(row -> row(row).stored())
        .toList();
  }

  /** The same without some keys, whose ids are erased from then on. */
  KeyIndex without(long[] erasedNow) {
    KeyIndex rest = new KeyIndex(LongStream.concat(erased(), Arrays.stream(erasedNow)));
    for (int row = 0; row < size; row++) {
      rest.add(row(row));
    }
    return rest;
  }

  private PlainKey row(int row) {
    int from = row * ContentKey.BYTES;
    return new PlainKey(
        ids[row], owner(row), madeAt[row], Arrays.copyOfRange(keys, from, from + ContentKey.BYTES));
  }

  private ContentOwner owner(int row) {
    int number = principals[row];
    return new ContentOwner(
        number == OF_NODE ? null : names.get(number), LocalDate.ofEpochDay(days[row]));
  }

  private int number(@Nullable String principal) {
    if (principal == null) {
      return OF_NODE;
    }
    return nameNumbers.computeIfAbsent(
        principal,
        name -> {
          names.add(name);
          return names.size() - 1;
        });
  }

  private void grow() {
    int rows = Math.multiplyExact(2, size);
    ids = Arrays.copyOf(ids, rows);
    madeAt = Arrays.copyOf(madeAt, rows);
    principals = Arrays.copyOf(principals, rows);
    days = Arrays.copyOf(days, rows);
    keys = Arrays.copyOf(keys, Math.multiplyExact(rows, ContentKey.BYTES));
    byId = new int[2 * rows];
    byOwner = new int[2 * rows];
    for (int row = 0; row < size; row++) {
      byId[slotOf(ids[row])] = row + 1;
      byOwner[slotOf(principals[row], days[row])] = row + 1;
    }
  }

  private int slotOf(long id) {
    return slot(byId, Long.hashCode(id), row -> ids[row] == id);
  }

  private int slotOf(int principal, int day) {
    return slot(
        byOwner, 31 * principal + day, row -> principals[row] == principal && days[row] == day);
  }

  /** The slot of the row that matches, else the empty slot where it belongs. */
  private static int slot(int[] table, int hash, IntPredicate matches) {
    int mask = table.length - 1;
    int slot = ((hash * 0x9E37_79B1) >>> 7) & mask;
    while (table[slot] != 0 && !matches.test(table[slot] - 1)) {
      slot = (slot + 1) & mask;
    }
    return slot;
  }
}
