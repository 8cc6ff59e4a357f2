package gatebook.events.journal.segment.stamp;

import gatebook.events.journal.segment.file.BlockTable;
import gatebook.events.journal.segment.file.CompressedSegments;
import gatebook.events.journal.segment.file.RandomSpan;
import gatebook.events.journal.segment.file.ReadHandles;
import gatebook.events.journal.segment.file.SegmentFiles;
import gatebook.events.journal.segment.file.SegmentHeader;
import gatebook.events.journal.segment.stamp.SegmentStamp.StampedFile;
import gatebook.events.journal.tree.Sha256;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.security.MessageDigest;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/**
 * Replaces the file of a stamped segment by a compressed one, in steps. After each of them the
 * segment can be read, and the compressed file is read only when the other one is gone.
 *
 * @param blockBytes so many bytes of a segment are compressed together
 */
public record SegmentCompressor(SegmentFiles files, int blockBytes) {
  /** The bytes forced at once: a force of the journal's own file waits for them. */
  private static final int FORCED_BYTES = 1 << 20;

  /**
   * The digests of what was compressed.
   *
   * @param segment of the segment's bytes
   * @param file of the compressed file
   */
  @SuppressWarnings("ArrayRecordComponent") // never compared
  public record Digests(byte[] segment, byte[] file) {}

  /**
   * Writes the draft of the compressed file from the file at the path of the segment, which is
   * opened anew. Forces the draft, and reads it back to check it.
   *
   * @param pace rests between parts of the work; closing it ends the writing
   * @return empty when it was closed; then there is no draft
   */
  public Optional<Digests> writeDraft(long first, BackgroundPace pace) throws IOException {
    Path draft = draft(first);
    Optional<Digests> written = Optional.empty();
    SegmentCompressor anew = new SegmentCompressor(files.openedAnew(), blockBytes);
    try (ReadHandles _ = anew.files.handles()) {
      Optional<Digests> digests = anew.write(first, draft, pace);
      if (digests.isPresent()) {
        anew.requireReadable(first, digests.get().segment(), draft, pace);
      }
      written = digests;
      return digests;
    } finally {
      if (written.isEmpty()) {
        Files.deleteIfExists(draft);
      }
    }
  }

  private Path draft(long first) {
    return SegmentFiles.draft(files.compressedSegment(first));
  }

  private Optional<Digests> write(long first, Path draft, BackgroundPace pace) throws IOException {
    long bytes = files.size(first);
    MessageDigest segment = Sha256.newDigest();
    try (Output output = new Output(draft);
        BlockWriter writer = new BlockWriter(blockBytes)) {
      byte[] header = new byte[SegmentHeader.BYTES];
      read(first, 0, header, segment);
      output.write(ByteBuffer.wrap(header));
      BlockTable table = BlockTable.empty(bytes, blockBytes);
      RandomSpans spans = new RandomSpans(files, files.readHeader(first).orElseThrow(), bytes);
      byte[] text = new byte[blockBytes];
      for (int block = 0; block < table.count(); block++) {
        if (pace.isClosedAfterRest()) {
          return Optional.empty();
        }
        long at = table.textAt(block);
        int length = table.textBytes(block);
        text = text.length == length ? text : new byte[length];
        read(first, at, text, segment);
        List<RandomSpan> known = spans.between(at, at + length);
        ByteBuffer stored = writer.block(text, at, Base64Spans.with(known, text, at));
        table.put(block, stored);
        output.write(stored);
      }
      output.write(table.encode());
      output.channel.force(true);
      return Optional.of(new Digests(segment.digest(), output.digest.digest()));
    }
  }

  private void read(long first, long at, byte[] into, MessageDigest digest) throws IOException {
    files.readFully(first, at, into, 0, into.length);
    digest.update(into);
  }

  private void requireReadable(long first, byte[] digest, Path draft, BackgroundPace pace)
      throws IOException {
    CompressedSegments written = new CompressedSegments(files.handles());
    MessageDigest read = Sha256.newDigest();
    copy(
        written,
        first,
        draft,
        bytes -> {
          read.update(bytes);
          pace.restWhenDue();
        });
    if (!Arrays.equals(read.digest(), digest)) {
      throw new IOException(
          "what was compressed of %s cannot be read back"
              .formatted(files.segment(first).getFileName()));
    }
  }

  /** A use of bytes that are read. */
  @FunctionalInterface
  private interface BytesUse {
    void of(ByteBuffer bytes) throws IOException;
  }

  /** Copies the header, and then block by block: of a part of a block all of it is kept. */
  private void copy(CompressedSegments from, long first, Path file, BytesUse to)
      throws IOException {
    long end = from.size(first, file);
    byte[] buffer = new byte[Math.max(SegmentHeader.BYTES, blockBytes)];
    int length = SegmentHeader.BYTES;
    for (long at = 0; at < end; at += length) {
      length = at == 0 ? SegmentHeader.BYTES : (int) Math.min(blockBytes, end - at);
      from.readFully(first, file, at, buffer, 0, length);
      to.of(ByteBuffer.wrap(buffer, 0, length));
    }
  }

  /** Fails, and removes the draft, unless the compressed bytes are those that were stamped. */
  public void requireStamped(SegmentStamp stamp, Digests digests) throws IOException {
    if (!Arrays.equals(digests.segment(), stamp.segmentFile().sha256())) {
      Files.deleteIfExists(draft(stamp.settled().first()));
      throw changed(files, stamp.settled().first());
    }
  }

  static IOException changed(SegmentFiles files, long first) {
    return new IOException(
        "%s was changed after it was stamped: verify the journal"
            .formatted(files.segment(first).getFileName()));
  }

  /** Gives the compressed file its name. The other one is still read. */
  public void putInPlace(long first) throws IOException {
    Path file = files.compressedSegment(first);
    Files.move(
        draft(first), file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    files.compressed().forget(first, file);
    files.forceDirectory();
  }

  /**
   * The stamp of the compressed file.
   *
   * @param stamp of the other one
   * @param digests of what was compressed
   * @param pace rests between parts of the work
   */
  public SegmentStamp stampOfCompressed(SegmentStamp stamp, Digests digests, BackgroundPace pace)
      throws IOException {
    Path file = files.compressedSegment(stamp.settled().first());
    FileState state = FileState.of(file);
    if (!Arrays.equals(digests.file(), FileState.digest(file, pace::restWhenDue))
        || !FileState.of(file).equals(state)) {
      throw changed(files, stamp.settled().first());
    }
    return new SegmentStamp(
        stamp.origin(),
        StampFile.name(file),
        stamp.settled(),
        new StampedFile(state, digests.file()),
        stamp.indexFile(),
        stamp.at());
  }

  /** Removes the file that was compressed: from now on the compressed one is read. */
  public void removePlain(long first) throws IOException {
    Path plain = files.segment(first);
    Files.delete(plain);
    files.handles().forget(plain);
    Files.deleteIfExists(files.stampOf(plain, first));
  }

  /** Writes a segment again as it was before it was compressed, so that it can be appended to. */
  public void restore(long first) throws IOException {
    Path plain = files.segment(first);
    Path draft = SegmentFiles.draft(plain);
    Path file = files.compressedSegment(first);
    try (Output output = new Output(draft)) {
      copy(files.compressed(), first, file, output::write);
      output.channel.force(true);
    }
    Files.move(draft, plain, StandardCopyOption.ATOMIC_MOVE);
    files.forceDirectory();
    Files.delete(file);
    Files.deleteIfExists(files.stampOf(file, first));
    files.compressed().forget(first, file);
  }

  /** An output file, written from its beginning to its end. */
  private static final class Output implements AutoCloseable {
    private final FileChannel channel;
    private final MessageDigest digest = Sha256.newDigest();
    private int unforced;

    Output(Path file) throws IOException {
      this.channel =
          FileChannel.open(
              file,
              StandardOpenOption.CREATE,
              StandardOpenOption.WRITE,
              StandardOpenOption.TRUNCATE_EXISTING);
    }

    void write(ByteBuffer bytes) throws IOException {
      digest.update(bytes.duplicate());
      while (bytes.hasRemaining()) {
        unforced += channel.write(bytes);
      }
      if (unforced >= FORCED_BYTES) {
        channel.force(false);
        unforced = 0;
      }
    }

    @Override
    public void close() throws IOException {
      channel.close();
    }
  }
}
