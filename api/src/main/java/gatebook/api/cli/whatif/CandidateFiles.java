package gatebook.api.cli.whatif;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.node.ObjectNode;
import gatebook.api.rules.RulesFiles;
import gatebook.command.rules.file.RulesFile;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.file.Path;
import java.util.Map;

/** The files of a candidate, as they are sent to a server, which replaces the variables. */
final class CandidateFiles {

  private CandidateFiles() {}

  /**
   * Adds the text of a rules file, and those of the policies and the schema that it names, to
   * params. A file that cannot be read is left out: the server tells the mistake.
   */
  static void addTo(ObjectNode params, Path file, Map<String, String> environment)
      throws IOException {
    RulesFile rulesFile = RulesFiles.at(file, environment);
    params.put("text", text(rulesFile, rulesFile.name()));
    ObjectNode files = params.putObject("files");
    for (String name : rulesFile.read().seen().names()) {
      if (!name.equals(rulesFile.name())) {
        try {
          files.put(name, text(rulesFile, name));
        } catch (IOException _) {
          // the server names the file that is missing
        }
      }
    }
  }

  private static String text(RulesFile rulesFile, String name) throws IOException {
    try (InputStream content = rulesFile.folder().open(name)) {
      return UTF_8.newDecoder().decode(ByteBuffer.wrap(content.readAllBytes())).toString();
    } catch (CharacterCodingException e) {
      throw new IOException("it is not UTF-8", e);
    }
  }
}
