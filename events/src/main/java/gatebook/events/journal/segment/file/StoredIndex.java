package gatebook.events.journal.segment.file;

import gatebook.events.journal.segment.file.IndexContent.Head;
import gatebook.events.journal.segment.file.IndexContent.KeyRange;
import gatebook.events.journal.storage.JournalSnapshot.IndexedTag;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The index of a sealed segment in its file. Only a summary is kept in memory, and the filter as
 * far as {@link FilterMemory} has room for it.
 */
public final class StoredIndex implements SegmentIndex {
  /** The number of lines read at once, about a page of the file. */
  private static final int WINDOW = 254;

  /** The texts of nearly all tags are shorter. */
  private static final int TEXT_BYTES = 128;

  private final IndexPages pages;
  private final FilterMemory filterMemory;
  private final Head head;
  private final String newestAt;
  private final Map<String, String> nodes = new HashMap<>();
  private final Map<String, KeyRange> keys = new HashMap<>();
  private final List<CheckpointPlace> checkpoints = new ArrayList<>();

  private StoredIndex(IndexPages pages, FilterMemory filterMemory, Head head, ByteBuffer summary)
      throws IndexPages.Damaged {
    this.pages = pages;
    this.filterMemory = filterMemory;
    this.head = head;
    this.newestAt = IndexContent.readText(summary);
    for (int left = summary.getInt(); left > 0; left--) {
      nodes.put(IndexContent.readText(summary), IndexContent.readText(summary));
    }
    for (int left = summary.getInt(); left > 0; left--) {
      keys.put(
          IndexContent.readText(summary),
          new KeyRange(IndexContent.readText(summary), IndexContent.readText(summary)));
    }
    for (int left = summary.getInt(); left > 0; left--) {
      checkpoints.add(
          new CheckpointPlace(
              summary.getLong(), summary.getLong(), summary.getInt(), summary.getInt()));
    }
  }

  /**
   * Opens the index of the segment with this header.
   *
   * @throws IndexPages.Damaged if the file is not the index of this segment, or not as it was
   *     written
   */
  static StoredIndex open(IndexPages pages, SegmentHeader header, FilterMemory filterMemory)
      throws IOException {
    Head head = Head.read(pages.read(0, IndexContent.HEAD_BYTES));
    if (head.salt() != header.salt() || head.first() != header.first()) {
      throw new IndexPages.Damaged("the index is that of another segment");
    }
    return new StoredIndex(
        pages, filterMemory, head, pages.read(head.summaryAt(), head.summaryBytes()));
  }

  long first() {
    return head.first();
  }

  int filterBytes() {
    return head.filterBytes();
  }

  byte[] readFilter() throws IOException {
    byte[] filter = new byte[head.filterBytes()];
    pages.read(head.filterAt(), filter.length).get(filter);
    return filter;
  }

  @Override
  public Extent extent() {
    return new Extent(head.count(), head.end());
  }

  @Override
  public int[] offsets(int from, int to) throws IOException {
    int[] offsets = new int[to - from + 1];
    ByteBuffer read =
        pages.read(
            IndexContent.HEAD_BYTES + (long) from * Integer.BYTES, offsets.length * Integer.BYTES);
    read.asIntBuffer().get(offsets);
    return offsets;
  }

  @Override
  public boolean mayContain(TagHash tag) throws IOException {
    if (head.lines() == 0 || !isInRange(tag.tag())) {
      return false;
    }
    byte[] filter = filterMemory.filterOf(this);
    int blockAt = TagFilter.blockAt(head.filterBytes(), tag);
    if (filter != null) {
      return TagFilter.mayContain(filter, blockAt, tag);
    }
    byte[] block = new byte[TagFilter.BLOCK_BYTES];
    pages.read(head.filterAt() + blockAt, block.length).get(block);
    return TagFilter.mayContain(block, 0, tag);
  }

  private boolean isInRange(String tag) {
    if (keys.isEmpty()) {
      return true;
    }
    KeyRange range = keys.get(IndexContent.key(tag));
    return range != null && range.contains(tag);
  }

  @Override
  public List<TagLine> lines(TagHash tag) throws IOException {
    List<TagLine> found = new ArrayList<>();
    LineReader reader = new LineReader();
    for (int at = reader.lowerBound(tag.order());
        at < head.lines() && reader.order(at) == tag.order();
        at++) {
      if (reader.text(at).equals(tag.tag())) {
        found.add(reader.line(at));
      }
    }
    return found;
  }

  /** The lines that a lookup of their tags finds, sorted by tag. */
  List<IndexedTag> linesFound() throws IOException {
    List<IndexedTag> found = new ArrayList<>(head.lines());
    LineReader reader = new LineReader();
    reader.loadTexts();
    Map<String, Boolean> usable = new LinkedHashMap<>();
    int before = Integer.MIN_VALUE;
    for (int at = 0; at < head.lines(); at++) {
      int order = reader.order(at) ^ Integer.MIN_VALUE;
      if (order >= before) {
        before = order;
        TagHash tag = TagHash.of(reader.text(at));
        if (tag.order() == reader.order(at) && isUsable(tag, usable)) {
          TagLine line = reader.line(at);
          found.add(
              new IndexedTag(tag.tag(), head.first() + line.first(), head.first() + line.last()));
        }
      }
    }
    return found;
  }

  private boolean isUsable(TagHash tag, Map<String, Boolean> known) throws IOException {
    Boolean usable = known.get(tag.tag());
    if (usable == null) {
      usable = mayContain(tag);
      known.clear(); // equal tags are neighbours
      known.put(tag.tag(), usable);
    }
    return usable;
  }

  @Override
  public List<CheckpointPlace> checkpoints() {
    return checkpoints;
  }

  @Override
  public Map<String, String> nodes() {
    return nodes;
  }

  @Override
  public String newestAt() {
    return newestAt;
  }

  /** Reads the sorted lines, some at a time. */
  private final class LineReader {
    private ByteBuffer window = ByteBuffer.allocate(0);
    private int windowFrom;
    private int windowTo;
    private int textAt = -1;
    private String text = "";
    private @Nullable ByteBuffer allTexts;

    /** The first line that does not come before a hash. */
    int lowerBound(int order) throws IOException {
      int low = 0;
      int high = head.lines();
      if (high > WINDOW) {
        // hashes are spread evenly, so it is most likely near this one
        int guess = (int) ((Integer.toUnsignedLong(order) * high) >>> Integer.SIZE);
        load(Math.max(0, Math.min(guess - WINDOW / 2, high - WINDOW)));
        if (isBefore(windowFrom, order)) {
          low = windowFrom + 1;
        }
        if (!isBefore(windowTo - 1, order)) {
          high = windowTo - 1;
        }
      }
      while (low < high) {
        int middle = (low + high) >>> 1;
        if (isBefore(middle, order)) {
          low = middle + 1;
        } else {
          high = middle;
        }
      }
      return low;
    }

    private boolean isBefore(int at, int order) throws IOException {
      return Integer.compareUnsigned(order(at), order) < 0;
    }

    int order(int at) throws IOException {
      return field(at, 0);
    }

    TagLine line(int at) throws IOException {
      return new TagLine(field(at, 2), field(at, 3));
    }

    String text(int at) throws IOException {
      int wanted = field(at, 1);
      if (wanted != textAt) {
        text = read(wanted);
        textAt = wanted;
      }
      return text;
    }

    private String read(int at) throws IOException {
      int rest = head.textBytes() - at;
      if (at < 0 || rest < Integer.BYTES) {
        throw new IndexPages.Damaged("a tag has no text");
      }
      ByteBuffer likely = texts(at, Math.min(rest, TEXT_BYTES));
      int length = likely.getInt(0);
      if (length < 0 || length > rest - Integer.BYTES) {
        throw new IndexPages.Damaged("a tag has no text");
      }
      boolean whole = length <= likely.remaining() - Integer.BYTES;
      return IndexContent.readText(whole ? likely : texts(at, Integer.BYTES + length));
    }

    private ByteBuffer texts(int at, int length) throws IOException {
      ByteBuffer all = allTexts;
      return all == null ? pages.read(head.textsAt() + at, length) : all.slice(at, length);
    }

    /** Reads the texts of all tags at once. */
    void loadTexts() throws IOException {
      allTexts = pages.read(head.textsAt(), head.textBytes());
    }

    private int field(int at, int number) throws IOException {
      if (at < windowFrom || at >= windowTo) {
        load(at);
      }
      return window.getInt((at - windowFrom) * IndexContent.LINE_BYTES + number * Integer.BYTES);
    }

    private void load(int from) throws IOException {
      int to = Math.min(head.lines(), from + WINDOW);
      window =
          pages.read(
              head.linesAt() + (long) from * IndexContent.LINE_BYTES,
              (to - from) * IndexContent.LINE_BYTES);
      windowFrom = from;
      windowTo = to;
    }
  }
}
