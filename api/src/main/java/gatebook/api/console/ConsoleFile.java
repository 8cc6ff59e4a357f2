package gatebook.api.console;

import gatebook.events.journal.tree.Sha256;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.HexFormat;
import java.util.Map;
import java.util.Optional;
import java.util.zip.Deflater;
import java.util.zip.GZIPOutputStream;

/** A file of the console in memory, as it is and compressed. */
final class ConsoleFile {
  private static final int TAG_BYTES = 16;

  private static final Map<String, String> TYPES =
      Map.of(
          "html", "text/html; charset=utf-8",
          "css", "text/css; charset=utf-8",
          "js", "text/javascript; charset=utf-8",
          "svg", "image/svg+xml",
          "png", "image/png",
          "ico", "image/x-icon");

  private final String type;
  private final Representation plain;
  private final Optional<Representation> gzip;

  /**
   * The bytes that are sent, and the tag by which a client asks whether it has them already.
   *
   * @param tag in its quotes
   */
  @SuppressWarnings("ArrayRecordComponent") // sent and never compared
  record Representation(byte[] bytes, String tag, boolean isGzip) {}

  private ConsoleFile(String type, Representation plain, Optional<Representation> gzip) {
    this.type = type;
    this.plain = plain;
    this.gzip = gzip;
  }

  /** Whether a file with this name is served: one of a known type. */
  static boolean isServed(String name) {
    return TYPES.containsKey(extension(name));
  }

  static ConsoleFile of(String name, byte[] bytes) {
    String hash = hash(bytes);
    byte[] compressed = compressed(bytes);
    return new ConsoleFile(
        Optional.ofNullable(TYPES.get(extension(name))).orElseThrow(),
        new Representation(bytes, "\"" + hash + "\"", false),
        compressed.length < bytes.length
            ? Optional.of(new Representation(compressed, "\"" + hash + "-gzip\"", true))
            : Optional.empty());
  }

  String type() {
    return type;
  }

  Representation plain() {
    return plain;
  }

  /** Empty when the file does not become smaller. */
  Optional<Representation> gzip() {
    return gzip;
  }

  private static String extension(String name) {
    return name.substring(name.lastIndexOf('.') + 1);
  }

  private static byte[] compressed(byte[] bytes) {
    ByteArrayOutputStream compressed = new ByteArrayOutputStream();
    try (GZIPOutputStream gzip = new BestGzip(compressed)) {
      gzip.write(bytes);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return compressed.toByteArray();
  }

  /** Compresses once, so that it may take its time. */
  private static final class BestGzip extends GZIPOutputStream {
    BestGzip(ByteArrayOutputStream out) throws IOException {
      super(out);
      def.setLevel(Deflater.BEST_COMPRESSION);
    }
  }

  private static String hash(byte[] bytes) {
    return HexFormat.of().formatHex(Sha256.of(bytes), 0, TAG_BYTES);
  }
}
