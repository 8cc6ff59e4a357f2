package gatebook.events.journal.segment.file;

import gatebook.events.journal.storage.DamagedFile;
import gatebook.events.journal.storage.StorageFailure;
import java.io.FileNotFoundException;
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
import java.util.SortedSet;
import java.util.TreeSet;

/**
 * The files of a journal: one for each segment, one for its index and one for its stamp, named by
 * the position of the segment's first event.
 *
 * <p>A sealed segment may be in a compressed file. While there are both files, the compressed one
 * is not read, since it may not be whole. What is read from a segment does not depend on its file,
 * also not when that changes at the same time. An archived segment has no file here: its mark and
 * its index are here, and its bytes are read from the archive.
 */
public record SegmentFiles(
    Path directory,
    ReadHandles handles,
    FilterMemory filterMemory,
    CompressedSegments compressed,
    ArchivedSegments archived) {
  /** How the names of directories with files from the archive begin. */
  public static final String FETCHED = "fetched-";

  private static final String SEGMENT = ".segment";
  private static final String COMPRESSED = ".segment.z";
  private static final String INDEX = ".index";
  private static final String STAMP = ".stamp";
  private static final String STAMP_OF_COMPRESSED = ".z.stamp";
  private static final String ARCHIVED = ".archived";
  private static final String DRAFT = ".new";
  private static final int DIGITS = 19;

  public SegmentFiles(Path directory, ReadHandles handles, FilterMemory filterMemory) {
    this(directory, handles, filterMemory, ArchivedSegments.NONE);
  }

  public SegmentFiles(
      Path directory, ReadHandles handles, FilterMemory filterMemory, ArchivedSegments archived) {
    this(directory, handles, filterMemory, new CompressedSegments(handles), archived);
  }

  /**
   * The same files, opened anew for each read, so that files which were removed or replaced are
   * noticed. The reader closes the handles.
   */
  public SegmentFiles openedAnew() {
    return new SegmentFiles(directory, new ReadHandles(), new FilterMemory(), archived);
  }

  /** Why a segment cannot be read, for operators. */
  public DamagedFile damaged(long first, long last, IOException failure) {
    Path file = readSegment(first);
    String why =
        Files.exists(file)
            ? StorageFailure.describe(failure).replace(directory + "/", "")
            : "there is no such file: it was removed";
    return new DamagedFile(String.valueOf(file.getFileName()), why, first, last);
  }

  /** The file of a segment as it is written. */
  public Path segment(long first) {
    return directory.resolve(name(first) + SEGMENT);
  }

  public Path compressedSegment(long first) {
    return directory.resolve(name(first) + COMPRESSED);
  }

  /** Whether a segment is read from its compressed file. */
  public boolean isCompressed(long first) {
    return Files.notExists(segment(first)) && Files.exists(compressedSegment(first));
  }

  /** Whether a file is a compressed segment, by its name. */
  public static boolean isCompressed(Path file) {
    return file.toString().endsWith(COMPRESSED);
  }

  public Path archivedMark(long first) {
    return directory.resolve(name(first) + ARCHIVED);
  }

  /** Whether a segment is in the archive only. */
  public boolean isArchived(long first) {
    return Files.notExists(segment(first))
        && Files.notExists(compressedSegment(first))
        && Files.exists(archivedMark(first));
  }

  /** The file from which a segment is read; of an archived one, its mark. */
  public Path readSegment(long first) {
    return isCompressed(first)
        ? compressedSegment(first)
        : isArchived(first) ? archivedMark(first) : segment(first);
  }

  /** The file that becomes another one, when it is whole. */
  public static Path draft(Path file) {
    return file.resolveSibling(file.getFileName() + DRAFT);
  }

  public Path index(long first) {
    return directory.resolve(name(first) + INDEX);
  }

  /** The stamp of one of the files of a segment. */
  public Path stampOf(Path file, long first) {
    return directory.resolve(
        name(first) + (file.equals(segment(first)) ? STAMP : STAMP_OF_COMPRESSED));
  }

  private static String name(long first) {
    return String.format(Locale.ROOT, "%0" + DIGITS + "d", first);
  }

  /** The first positions of all segments, ascending. */
  public List<Long> firsts() throws IOException {
    SortedSet<Long> firsts = new TreeSet<>();
    try (DirectoryStream<Path> found =
        Files.newDirectoryStream(
            directory, "*{" + SEGMENT + "," + COMPRESSED + "," + ARCHIVED + "}")) {
      for (Path file : found) {
        String name = file.getFileName().toString();
        String digits = name.substring(0, name.indexOf('.'));
        if (digits.length() == DIGITS
            && digits.chars().allMatch(c -> c >= '0' && c <= '9')
            && (name.equals(digits + SEGMENT)
                || name.equals(digits + COMPRESSED)
                || name.equals(digits + ARCHIVED))) {
          firsts.add(Long.parseLong(digits));
        }
      }
    }
    return new ArrayList<>(firsts);
  }

  /** How long a segment is, whether or not it is compressed. */
  public long size(long first) throws IOException {
    IOException missing = null;
    if (!compressed.isKnown(first)) {
      try {
        return Files.size(segment(first));
      } catch (NoSuchFileException e) {
        missing = e;
      }
    }
    try {
      return compressed.size(first, compressedSegment(first));
    } catch (FileNotFoundException e) {
      return mark(first, missing == null ? e : missing).bytes();
    }
  }

  /** Fills the bytes from a position of a segment on, wherever it is. */
  public void readFully(long first, long position, byte[] bytes, int from, int length)
      throws IOException {
    IOException missing = null;
    if (!compressed.isKnown(first)) {
      try {
        handles.readFully(segment(first), position, bytes, from, length);
        return;
      } catch (FileNotFoundException e) {
        missing = e;
      }
    }
    try {
      compressed.readFully(first, compressedSegment(first), position, bytes, from, length);
    } catch (FileNotFoundException e) {
      ArchivedMark mark = mark(first, missing == null ? e : missing);
      if (position + length <= SegmentHeader.BYTES) {
        System.arraycopy(mark.header(), (int) position, bytes, from, length);
      } else {
        archived.readFully(mark, position, bytes, from, length);
      }
    }
  }

  /** The mark of an archived segment. */
  public ArchivedMark mark(long first) throws IOException {
    return ArchivedMark.read(archivedMark(first));
  }

  private ArchivedMark mark(long first, IOException otherwise) throws IOException {
    if (!Files.exists(archivedMark(first))) {
      throw otherwise;
    }
    return mark(first);
  }

  /** The bytes at the beginning of a segment, as many as a header has or fewer. */
  public ByteBuffer readHeaderBytes(long first) throws IOException {
    int length = (int) Math.min(SegmentHeader.BYTES, size(first));
    byte[] bytes = new byte[length];
    readFully(first, 0, bytes, 0, length);
    return ByteBuffer.wrap(bytes);
  }

  /** The header of a segment; empty when it is not the one that was written. */
  public Optional<SegmentHeader> readHeader(long first) throws IOException {
    return SegmentHeader.decode(readHeaderBytes(first)).filter(it -> it.first() == first);
  }

  /**
   * Whether a segment was never finished being created: then it has no record, and its header may
   * be incomplete.
   */
  public boolean isUnfinished(long first) throws IOException {
    return !isCompressed(first)
        && size(first) <= SegmentHeader.BYTES
        && readHeader(first).isEmpty();
  }

  /**
   * The header of a segment. Of a damaged one, only the fields that are also in its records are
   * known: such a segment can be read, and its edge fits no tree.
   */
  public SegmentHeader readableHeader(long first) throws IOException {
    Optional<SegmentHeader> header = readHeader(first);
    if (header.isPresent()) {
      return header.get();
    }
    byte[] record = new byte[BatchRecord.HEAD_BYTES];
    readFully(first, SegmentHeader.BYTES, record, 0, record.length);
    return BatchRecord.headerOf(ByteBuffer.wrap(record), first)
        .orElseThrow(() ->
            new IOException(
                "the segment %s has no header: restore it from a copy, or move it away and accept the journal without its events"
                    .formatted(readSegment(first).getFileName())));
  }

  public void delete(long first) throws IOException {
    handles.forget(segment(first));
    Files.delete(segment(first));
  }

  public SegmentScan scan(SegmentHeader header, long limit) {
    return new SegmentScan(this, header, limit);
  }

  StoredIndex openIndex(SegmentHeader header) throws IOException {
    return StoredIndex.open(new IndexPages(handles, index(header.first())), header, filterMemory);
  }

  /** The index of a segment was replaced. */
  void forgetIndex(long first) {
    handles.forget(index(first));
    filterMemory.forget(first);
  }

  /**
   * Removes what a process left behind that died while it wrote a file: drafts, stamps of files
   * that are gone, and files from the archive. No other process may write.
   */
  public void removeLeftovers() throws IOException {
    try (DirectoryStream<Path> drafts = Files.newDirectoryStream(directory, "*" + DRAFT)) {
      for (Path draft : drafts) {
        Files.deleteIfExists(draft);
      }
    }
    for (long first : firsts()) {
      if (isCompressed(first) || isArchived(first)) {
        Files.deleteIfExists(stampOf(segment(first), first));
      }
      if (isArchived(first)) {
        Files.deleteIfExists(stampOf(compressedSegment(first), first));
      }
    }
    try (DirectoryStream<Path> fetched = Files.newDirectoryStream(directory, FETCHED + "*")) {
      for (Path folder : fetched) {
        removeFolder(folder);
      }
    }
  }

  private static void removeFolder(Path folder) throws IOException {
    try (DirectoryStream<Path> files = Files.newDirectoryStream(folder)) {
      for (Path file : files) {
        Files.deleteIfExists(file);
      }
    }
    Files.deleteIfExists(folder);
  }

  /** Returns when the names of all files are on the disk. */
  public void forceDirectory() throws IOException {
    force(directory);
  }

  /** Returns when the name of the directory itself, and the names beside it, are on the disk. */
  public void forceParent() throws IOException {
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
  public long bytes() throws IOException {
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
