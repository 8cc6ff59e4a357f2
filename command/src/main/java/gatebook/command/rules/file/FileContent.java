package gatebook.command.rules.file;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;

/** The content of a file, or why it cannot be read. */
sealed interface FileContent {

  /** The largest size of a rules file or a file it names. */
  int BYTES_MAX = 1 << 20;

  record Text(String text) implements FileContent {}

  record Unreadable(String sentence) implements FileContent {}

  static FileContent of(RulesFolder rulesFolder, String name) {
    try (InputStream bytes = rulesFolder.open(name)) {
      return of(bytes.readNBytes(BYTES_MAX + 1));
    } catch (CandidateFolder.NotForCandidates _) {
      return new Unreadable(
          "a candidate may not read: name one that the file in force names, or a .cedar file in or"
              + " below this folder");
    } catch (IOException _) {
      return new Unreadable("cannot be read: check that it exists and is readable");
    }
  }

  private static FileContent of(byte[] bytes) {
    if (bytes.length > BYTES_MAX) {
      return new Unreadable("is larger than %d bytes: split it".formatted(BYTES_MAX));
    }
    try {
      return new Text(UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes)).toString());
    } catch (CharacterCodingException _) {
      return new Unreadable("is not in UTF-8: save it as UTF-8");
    }
  }
}
