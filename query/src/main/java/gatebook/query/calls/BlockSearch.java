package gatebook.query.calls;

import gatebook.query.terms.TermSearch;
import java.sql.Connection;
import java.sql.SQLException;
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

  private final TermSearch search;

  /** A search for blocks of one kind. */
  @FunctionalInterface
  interface Blocks {

    /** The newest one that is not newer than a block; {@link #NONE} when there is none. */
    long notAfter(long block) throws SQLException;
  }

  BlockSearch(Connection view) throws SQLException {
    this.search = new TermSearch(view, CallBlocks.INDEX);
  }

  /** The blocks with calls that have a property, and perhaps others. */
  Blocks with(int property) {
    return new PropertyBlocks(CallBlocks.term(property));
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
    search.close();
  }

  /** Reads some blocks ahead. A search never goes back to a newer block. */
  private final class PropertyBlocks implements Blocks {
    private final byte[] term;
    private List<Long> read = List.of();
    private int at;
    private boolean ended;

    PropertyBlocks(byte[] term) {
      this.term = term;
    }

    @Override
    public long notAfter(long block) throws SQLException {
      while (at < read.size() && read.get(at) > block) {
        at++;
      }
      if (at == read.size() && !ended) {
        read = search.places(term, block, READ_AHEAD);
        at = 0;
        ended = read.size() < READ_AHEAD;
      }
      return at < read.size() ? read.get(at) : NONE;
    }
  }
}
