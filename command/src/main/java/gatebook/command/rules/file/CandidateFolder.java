package gatebook.command.rules.file;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.Map;

/**
 * The folder of a candidate: a text that would replace a rules file.
 *
 * <p>The check tells the sender of the text something about the files that it names. So it may only
 * name files that the rules file itself names, and files of Cedar in or below its folder.
 */
final class CandidateFolder implements RulesFolder {

  private final RulesFile file;
  private final String text;
  private final Map<String, String> files;

  CandidateFolder(RulesFile file, String text, Map<String, String> files) {
    this.file = file;
    this.text = text;
    this.files = Map.copyOf(files);
  }

  /** The candidate may not name this file. */
  static final class NotForCandidates extends IOException {
    private static final long serialVersionUID = 1L;
  }

  @Override
  public InputStream open(String name) throws IOException {
    if (name.equals(RulesFile.CANDIDATE)) {
      return new ByteArrayInputStream(text.getBytes(UTF_8));
    }
    String sent = files.get(name);
    if (sent != null) {
      return new ByteArrayInputStream(sent.getBytes(UTF_8));
    }
    if (!isCedarBelow(name) && !file.read().seen().names().contains(name)) {
      throw new NotForCandidates();
    }
    return file.folder().open(name);
  }

  private static boolean isCedarBelow(String name) throws IOException {
    try {
      Path path = Path.of(name);
      return !path.isAbsolute()
          && !path.normalize().startsWith("..")
          && (name.endsWith(".cedar")
              || name.endsWith(".cedarschema")
              || name.endsWith(".cedarschema.json"));
    } catch (InvalidPathException e) {
      throw new IOException(e);
    }
  }
}
