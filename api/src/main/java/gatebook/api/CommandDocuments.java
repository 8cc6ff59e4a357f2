package gatebook.api;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import picocli.AutoComplete;
import picocli.CommandLine;

/** Writes the completion of the command line for bash and zsh, and its manual page. */
public final class CommandDocuments {
  private static final String COMPLETION = "gatebook.completion";
  private static final String MANUAL = "gatebook.1";

  private CommandDocuments() {}

  /**
   * Writes the documents.
   *
   * @param args the directory to write to
   */
  public static void main(String[] args) throws IOException {
    CommandLine gatebook = Gatebook.commandLine();
    Path directory = Path.of(args[0]);
    Files.writeString(directory.resolve(COMPLETION), AutoComplete.bash("gatebook", gatebook));
    Files.writeString(directory.resolve(MANUAL), ManualPage.of(gatebook));
  }
}
