package gatebook.events.journal.segment.file;

import static java.nio.charset.StandardCharsets.UTF_8;

import gatebook.events.journal.segment.file.SegmentIndex.CheckpointPlace;
import gatebook.events.journal.segment.file.SegmentIndex.TagLine;
import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * The content of an index file: a head with the lengths of the parts, then the parts: offsets of
 * entries, lines of tags sorted by hash, the filter of tags, their texts, and a summary.
 */
final class IndexContent {
  static final int MAGIC = 0x4742_4958;
  static final int VERSION = 1;
  static final int HEAD_BYTES = 64;
  static final int LINE_BYTES = 4 * Integer.BYTES;

  /** With more keys than this, none of their ranges is kept. */
  private static final int KEYS_MAX = 64;

  private IndexContent() {}

  /** The head of an index file. */
  record Head(
      long salt,
      long first,
      int count,
      int end,
      int lines,
      int filterBytes,
      int textBytes,
      int summaryBytes) {

    static Head read(ByteBuffer from) throws IndexPages.Damaged {
      if (from.getInt() != MAGIC || from.getInt() != VERSION) {
        throw new IndexPages.Damaged("the index was written by another version");
      }
      return new Head(
          from.getLong(),
          from.getLong(),
          from.getInt(),
          from.getInt(),
          from.getInt(),
          from.getInt(),
          from.getInt(),
          from.getInt());
    }

    void put(ByteBuffer into) {
      into.putInt(MAGIC).putInt(VERSION).putLong(salt).putLong(first).putInt(count).putInt(end);
      into.putInt(lines).putInt(filterBytes).putInt(textBytes).putInt(summaryBytes);
      into.position(HEAD_BYTES);
    }

    long linesAt() {
      return HEAD_BYTES + (count + 1L) * Integer.BYTES;
    }

    long filterAt() {
      return linesAt() + (long) lines * LINE_BYTES;
    }

    long textsAt() {
      return filterAt() + filterBytes;
    }

    long summaryAt() {
      return textsAt() + textBytes;
    }
  }

  private record Line(TagHash tag, int textAt, TagLine line) {}

  /** The range of the tags with one key, in the order of texts. */
  record KeyRange(String from, String to) {
    KeyRange with(String tag) {
      return new KeyRange(tag.compareTo(from) < 0 ? tag : from, tag.compareTo(to) > 0 ? tag : to);
    }

    boolean contains(String tag) {
      return tag.compareTo(from) >= 0 && tag.compareTo(to) <= 0;
    }
  }

  static String key(String tag) {
    int colon = tag.indexOf(':');
    return colon < 0 ? tag : tag.substring(0, colon);
  }

  static ByteBuffer of(MemoryIndex index, SegmentHeader header) {
    ByteArrayOutputStream texts = new ByteArrayOutputStream();
    List<Line> lines = new ArrayList<>(index.tagCount());
    byte[] filter = new byte[TagFilter.bytes(index.tagCount())];
    Map<String, KeyRange> keys = new TreeMap<>();
    for (String text : index.tags()) {
      TagHash tag = TagHash.of(text);
      TagFilter.add(filter, tag);
      keys.merge(key(text), new KeyRange(text, text), (range, one) -> range.with(one.from()));
      int textAt = texts.size();
      putText(text, texts);
      index.lines(tag).forEach(line -> lines.add(new Line(tag, textAt, line)));
    }
    lines.sort(
        Comparator.<Line>comparingInt(line -> line.tag().order() ^ Integer.MIN_VALUE)
            .thenComparing(line -> line.tag().tag())
            .thenComparingInt(line -> line.line().first()));
    SegmentIndex.Extent extent = index.extent();
    byte[] summary = summary(index, keys.size() > KEYS_MAX ? Map.of() : keys);
    Head head =
        new Head(
            header.salt(),
            header.first(),
            extent.count(),
            extent.end(),
            lines.size(),
            filter.length,
            texts.size(),
            summary.length);
    ByteBuffer content = ByteBuffer.allocate((int) head.summaryAt() + summary.length);
    head.put(content);
    for (int offset : index.offsets(0, extent.count())) {
      content.putInt(offset);
    }
    for (Line line : lines) {
      content.putInt(line.tag().order()).putInt(line.textAt());
      content.putInt(line.line().first()).putInt(line.line().last());
    }
    return content.put(filter).put(texts.toByteArray()).put(summary).flip();
  }

  private static void putText(String text, ByteArrayOutputStream into) {
    byte[] bytes = text.getBytes(UTF_8);
    into.writeBytes(ByteBuffer.allocate(Integer.BYTES).putInt(0, bytes.length).array());
    into.writeBytes(bytes);
  }

  private static byte[] summary(MemoryIndex index, Map<String, KeyRange> keys) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (DataOutputStream out = new DataOutputStream(bytes)) {
      writeText(index.newestAt(), out);
      Map<String, String> nodes = new TreeMap<>(index.nodes());
      out.writeInt(nodes.size());
      for (Map.Entry<String, String> node : nodes.entrySet()) {
        writeText(node.getKey(), out);
        writeText(node.getValue(), out);
      }
      out.writeInt(keys.size());
      for (Map.Entry<String, KeyRange> key : keys.entrySet()) {
        writeText(key.getKey(), out);
        writeText(key.getValue().from(), out);
        writeText(key.getValue().to(), out);
      }
      List<CheckpointPlace> checkpoints = index.checkpoints();
      out.writeInt(checkpoints.size());
      for (CheckpointPlace checkpoint : checkpoints) {
        out.writeLong(checkpoint.number());
        out.writeLong(checkpoint.size());
        out.writeInt(checkpoint.recordAt());
        out.writeInt(checkpoint.recordBytes());
      }
    } catch (IOException e) {
      throw new UncheckedIOException("memory does not fail to be written", e);
    }
    return bytes.toByteArray();
  }

  private static void writeText(String text, DataOutputStream out) throws IOException {
    byte[] bytes = text.getBytes(UTF_8);
    out.writeInt(bytes.length);
    out.write(bytes);
  }

  /** A text after its length. */
  static String readText(ByteBuffer from) throws IndexPages.Damaged {
    int length = from.remaining() < Integer.BYTES ? -1 : from.getInt();
    if (length < 0 || length > from.remaining()) {
      throw new IndexPages.Damaged("a text in the index has no end");
    }
    byte[] bytes = new byte[length];
    from.get(bytes);
    return new String(bytes, UTF_8);
  }
}
