package gatebook.query.calls;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.NavigableSet;
import java.util.TreeSet;

/** Searches blocks with calls of some properties, from the newest to the oldest. */
final class BlockSearch implements AutoCloseable {
  /** There is no such block. */
  static final long NONE = -1;

  /** How many blocks of a property are read at once. */
  private static final int READ_AHEAD = 64;

  private final PreparedStatement select;

  /** A search for blocks of one kind. */
  @FunctionalInterface
  interface Blocks {

    /** The newest one that is not newer than a block; {@link #NONE} when there is none. */
    long notAfter(long block) throws SQLException;
  }

  BlockSearch(Connection view) throws SQLException {
    this.select =
        view.prepareStatement(
            "SELECT entry FROM call_blocks WHERE entry >= ? AND entry <= ? ORDER BY entry LIMIT "
                + READ_AHEAD);
  }

  /** The blocks with calls that have a property, and perhaps others. */
  Blocks with(int property) {
    return new PropertyBlocks(property);
  }

  /** The blocks that are in any of these. */
  static Blocks any(Collection<Blocks> some) {
    List<Blocks> all = List.copyOf(some);
    return block -> {
      long newest = NONE;
      for (Blocks blocks : all) {
        newest = Math.max(newest, blocks.notAfter(block));
      }
      return newest;
    };
  }

  /** The blocks that are in all of these. */
  static Blocks all(Collection<Blocks> some) {
    List<Blocks> all = List.copyOf(some);
    return block -> {
      long candidate = block;
      int agreeing = 0;
      for (int i = 0; agreeing < all.size() && candidate != NONE; i = (i + 1) % all.size()) {
        long found = all.get(i).notAfter(candidate);
        agreeing = found == candidate ? agreeing + 1 : 1;
        candidate = found;
      }
      return candidate;
    };
  }

  /** These blocks. */
  static Blocks of(Collection<Long> blocks) {
    NavigableSet<Long> sorted = new TreeSet<>(blocks);
    return block -> {
      Long found = sorted.floor(block);
      return found == null ? NONE : found;
    };
  }

  @Override
  public void close() throws SQLException {
    select.close();
  }

  /** Reads some blocks ahead. A search never goes back to a newer block. */
  private final class PropertyBlocks implements Blocks {
    private final int property;
    private List<Long> read = List.of();
    private int at;
    private boolean ended;

    PropertyBlocks(int property) {
      this.property = property;
    }

    @Override
    public long notAfter(long block) throws SQLException {
      while (at < read.size() && read.get(at) > block) {
        at++;
      }
      if (at == read.size() && !ended) {
        read = read(block);
        at = 0;
        ended = read.size() < READ_AHEAD;
      }
      return at < read.size() ? read.get(at) : NONE;
    }

    private List<Long> read(long block) throws SQLException {
      List<Long> blocks = new ArrayList<>();
      select.setLong(1, CallBlockTable.entry(property, block));
      select.setLong(2, CallBlockTable.entry(property, 0));
      try (ResultSet row = select.executeQuery()) {
        while (row.next()) {
          blocks.add(CallBlockTable.blockOfEntry(row.getLong(1)));
        }
      }
      return blocks;
    }
  }
}
