package gatebook.command.rules.file;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;

/**
 * The folder of a candidate that a rules file names.
 *
 * @param candidate its name, as the rules file writes it
 * @param folder of the rules file
 */
record CandidateSibling(String candidate, RulesFolder folder) implements RulesFolder {

  @Override
  public InputStream open(String name) throws IOException {
    return folder.open(resolve(name));
  }

  /** The name of one of its files for the rules file: files that it names are beside it. */
  String resolve(String name) {
    try {
      return name.equals(candidate) ? name : Path.of(candidate).resolveSibling(name).toString();
    } catch (InvalidPathException _) {
      return name; // the folder refuses it
    }
  }
}
