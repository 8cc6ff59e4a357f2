package gatebook.events.journal.segment;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * The files of a journal: one for each segment, one for its index and one for its stamp, named by
 * the position of the segment's first event.
 */
record SegmentFiles(Path directory, ReadHandles handles, FilterMemory filterMemory) {
  private static final String SEGMENT = ".segment";
  private static final String INDEX = ".index";
  private static final String STAMP = ".stamp";
  private static final int DIGITS = 19;

  Path segment(long first) {
    return directory.resolve(name(first) + SEGMENT);
  }

  Path index(long first) {
    return directory.resolve(name(first) + INDEX);
  }

  Path stamp(long first) {
    return directory.resolve(name(first) + STAMP);
  }

  private static String name(long first) {
    return String.format(Locale.ROOT, "%0" + DIGITS + "d", first);
  }

  /** The first positions of all segments, ascending. */
  List<Long> firsts() throws IOException {
    List<Long> firsts = new ArrayList<>();
    try (DirectoryStream<Path> found = Files.newDirectoryStream(directory, "*" + SEGMENT)) {
      for (Path file : found) {
        String name = file.getFileName().toString();
        String digits = name.substring(0, name.length() - SEGMENT.length());
        if (digits.length() == DIGITS && digits.chars().allMatch(c -> c >= '0' && c <= '9')) {
          firsts.add(Long.parseLong(digits));
        }
      }
    }
    firsts.sort(null);
    return firsts;
  }

  /** The bytes at the beginning of a segment, as many as a header has or fewer. */
  ByteBuffer readHeaderBytes(long first) throws IOException {
    int length = (int) Math.min(SegmentHeader.BYTES, Files.size(segment(first)));
    byte[] bytes = new byte[length];
    handles.readFully(segment(first), 0, bytes, 0, length);
    return ByteBuffer.wrap(bytes);
  }

  /** The header of a segment; empty when it is not the one that was written. */
  Optional<SegmentHeader> readHeader(long first) throws IOException {
    return SegmentHeader.decode(readHeaderBytes(first)).filter(it -> it.first() == first);
  }

  /**
   * Whether a segment was never finished being created: then it has no record, and its header may
   * be incomplete.
   */
  boolean isUnfinished(long first) throws IOException {
    return Files.size(segment(first)) <= SegmentHeader.BYTES && readHeader(first).isEmpty();
  }

  /**
   * The header of a segment. From one that is damaged only what its records repeat is known: such a
   * segment can be read, and its edge fits no tree.
   */
  SegmentHeader readableHeader(long first) throws IOException {
    Optional<SegmentHeader> header = readHeader(first);
    if (header.isPresent()) {
      return header.get();
    }
    byte[] record = new byte[BatchRecord.HEAD_BYTES];
    handles.readFully(segment(first), SegmentHeader.BYTES, record, 0, record.length);
    return BatchRecord.headerOf(ByteBuffer.wrap(record), first)
        .orElseThrow(() ->
            new IOException(
                "the segment %s has no header".formatted(segment(first).getFileName())));
  }

  void delete(long first) throws IOException {
    handles.forget(segment(first));
    Files.delete(segment(first));
  }

  SegmentScan scan(SegmentHeader header, long limit) {
    return new SegmentScan(handles, segment(header.first()), header, limit);
  }

  StoredIndex openIndex(SegmentHeader header) throws IOException {
    return StoredIndex.open(new IndexPages(handles, index(header.first())), header, filterMemory);
  }

  /** The index of a segment was replaced. */
  void forgetIndex(long first) {
    handles.forget(index(first));
    filterMemory.forget(first);
  }

  /** Returns when the names of all files are on the disk. */
  void forceDirectory() throws IOException {
    force(directory);
  }

  /** Returns when the name of the directory itself, and the names beside it, are on the disk. */
  void forceParent() throws IOException {
    Path parent = directory.getParent();
    if (parent != null) {
      force(parent);
    }
  }

  private static void force(Path names) throws IOException {
    try (FileChannel channel = FileChannel.open(names, StandardOpenOption.READ)) {
      channel.force(true);
    }
  }

  /** How many bytes all files take. */
  long bytes() throws IOException {
    long bytes = 0;
    try (DirectoryStream<Path> found = Files.newDirectoryStream(directory)) {
      for (Path file : found) {
        bytes += sizeIfThere(file);
      }
    }
    return bytes;
  }

  /** An index that is being written has another name for a moment. */
  private static long sizeIfThere(Path file) throws IOException {
    try {
      return Files.size(file);
    } catch (NoSuchFileException e) {
      return 0;
    }
  }
}
