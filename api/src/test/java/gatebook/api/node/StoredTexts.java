package gatebook.api.node;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.stream.Stream;

/** Searches the files of a data directory for texts. */
public final class StoredTexts {
  private static final int BASE64_BITS = 6;
  private static final int BASE64_BYTES = 3;

  private StoredTexts() {}

  /** Those of the texts that a file has, in plain or in Base64. */
  public static List<String> found(Path directory, List<String> texts) throws IOException {
    List<String> found = new ArrayList<>();
    try (Stream<Path> files = Files.walk(directory)) {
      for (Path file : files.filter(Files::isRegularFile).toList()) {
        String content = Files.readString(file, ISO_8859_1);
        texts.stream()
            .filter(text -> forms(text).stream().anyMatch(content::contains))
            .map(text -> "%s: %s".formatted(directory.relativize(file), text))
            .forEach(found::add);
      }
    }
    return found;
  }

  /** The text in plain, and in Base64 after any number of bytes. */
  private static List<String> forms(String text) {
    byte[] bytes = text.getBytes(UTF_8);
    List<String> forms = new ArrayList<>();
    forms.add(new String(bytes, ISO_8859_1));
    for (int before = 0; before < BASE64_BYTES; before++) {
      byte[] moved = new byte[before + bytes.length];
      System.arraycopy(bytes, 0, moved, before, bytes.length);
      String base64 = Base64.getEncoder().encodeToString(moved);
      int from = (before * Byte.SIZE + BASE64_BITS - 1) / BASE64_BITS;
      forms.add(base64.substring(from, moved.length * Byte.SIZE / BASE64_BITS));
    }
    return forms;
  }
}
