package gatebook.api.cli;

import static org.assertj.core.api.Assertions.assertThat;

import gatebook.api.cli.StoppedPlace.Where;
import gatebook.api.http.Port;
import gatebook.api.operator.rpc.OperatorTestNode;
import gatebook.events.journal.storage.StoredCheckpoint;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The command {@code prove --from}, and the check of what it writes. */
final class ProveFromTest {
  @TempDir private Path temp;

  private String proof() {
    return temp.resolve("proof").toString();
  }

  private CommandRun prove(StoppedPlace place, String... more) {
    List<String> arguments = new ArrayList<>(List.of("-o", proof()));
    arguments.addAll(List.of(more));
    return place.run(new ProveCommand(place.environment()), arguments.toArray(String[]::new));
  }

  private CommandRun check(String key) {
    return CommandRun.of(
        new VerifyCommand(Map.of()), List.of(), "--consistency", proof(), "--key", key);
  }

  private Path kept(StoppedPlace place) throws IOException {
    return Files.copy(place.data.resolve("checkpoint"), temp.resolve("kept"));
  }

  @ParameterizedTest
  @EnumSource
  void journalProvesThatItGoesOn(Where where) throws IOException {
    StoppedPlace place = new StoppedPlace(temp, where);
    Path kept = kept(place);
    place.append();

    CommandRun proved = prove(place, "--from", kept.toString());

    assertThat(proved)
        .isEqualTo(
            new CommandRun(
                0,
                "proof      %s: the log %s goes on from 7 to 8 events\n"
                    .formatted(proof(), place.key().verifier().name()),
                ""));
    CommandRun checked = check(place.verifierKey());
    assertThat(checked.code()).isZero();
    assertThat(checked.out().lines())
        .startsWith(
            "accepted   the first 7 events of %s are those of the older checkpoint"
                .formatted(place.key().verifier().name()))
        .anyMatch(line ->
            line.startsWith("newer      over 8 events with the root ")
                && line.endsWith(", signed by " + place.key().verifier().label()))
        .endsWith("Compare the older one with the one that you kept.");
    String file = Files.readString(Path.of(proof()));
    assertThat(file).contains(Files.readString(kept));
    assertThat(prove(place, "--from", "7").code()).isZero();
    assertThat(Files.readString(Path.of(proof()))).isEqualTo(file);
  }

  /** As in a copy that may not be written. */
  @Test
  void provingChangesNothingInTheDirectory() throws IOException {
    StoppedPlace place = new StoppedPlace(temp, Where.SEGMENTS);
    List<Path> before = contents(place.data);

    assertThat(prove(place, "--from", "7").code()).isZero();

    assertThat(contents(place.data)).isEqualTo(before);
  }

  private static List<Path> contents(Path folder) throws IOException {
    try (var files = Files.walk(folder)) {
      return files.sorted().toList();
    }
  }

  @ParameterizedTest
  @EnumSource
  void acceptedMismatchIsTheReasonWhyThereIsNoProof(Where where) throws IOException {
    StoppedPlace place = new StoppedPlace(temp, where);
    Path kept = kept(place);
    place.editor().rename(3, "gatebook.Forged");

    CommandRun edited = prove(place, "--from", kept.toString());
    place.verify("--accept", "the disk was restored by hand");
    place.append();
    CommandRun accepted = prove(place, "--from", kept.toString());

    assertThat(edited.code()).isZero(); // the leaves are as they were: verify finds it
    assertThat(accepted.code()).isEqualTo(1);
    assertThat(accepted.err())
        .contains("there is no proof from the origin " + place.key().verifier().name() + " to ")
        .contains(": inconsistent, accepted at 20")
        .contains(
            " by %s because: the disk was restored by hand"
                .formatted(System.getProperty("user.name")));
  }

  /** But for the signature of the older checkpoint, for which the newer one vouches. */
  @Test
  void editOfAProofIsRefused() throws IOException {
    StoppedPlace place = new StoppedPlace(temp, Where.SEGMENTS);
    Path kept = kept(place);
    place.append();
    prove(place, "--from", kept.toString());
    byte[] file = Files.readAllBytes(Path.of(proof()));
    List<String> sizesAndRoots = sizesAndRoots(check(place.verifierKey()));
    assertThat(sizesAndRoots).hasSize(2);

    for (int i = 0; i < file.length; i++) {
      byte[] edited = file.clone();
      edited[i] ^= 1;
      Files.write(Path.of(proof()), edited);
      CommandRun checked = check(place.verifierKey());
      if (checked.code() != 1) {
        assertThat(checked.out()).as("byte %d", i).contains(", whose signature was not checked");
        assertThat(sizesAndRoots(checked)).as("byte %d", i).isEqualTo(sizesAndRoots);
      }
    }
    Files.write(Path.of(proof()), file);
    assertThat(check("other+00000000+AAAA").code()).isEqualTo(2);
  }

  private static List<String> sizesAndRoots(CommandRun checked) {
    return checked
        .out()
        .lines()
        .filter(line -> line.contains(" with the root "))
        .map(line -> line.replaceFirst(",.*", ""))
        .toList();
  }

  @Test
  void serverProvesItsOwnJournal() throws Exception {
    try (OperatorTestNode node = new OperatorTestNode(temp.resolve("data"))) {
      node.append(StoppedPlace.outage());
      node.journal().sign().join();
      long size = node.journal().newestCheckpoint().map(StoredCheckpoint::size).orElseThrow();

      CommandRun proved = atServer(node, Long.toString(size));
      CommandRun unknown = atServer(node, "1000000");

      assertThat(proved.code()).isZero();
      assertThat(proved.out()).contains(" goes on from " + size + " to ");
      assertThat(check(node.journal().verifier().text()).code()).isZero();
      assertThat(unknown.code()).isEqualTo(1);
      assertThat(unknown.err()).contains("the journal has no checkpoint over 1000000 events");
    }
  }

  private CommandRun atServer(OperatorTestNode node, String from) {
    return CommandRun.of(
        new ProveCommand(Map.of("GATEBOOK_TOKEN", node.token())),
        List.of("--url", node.url(Port.ADMIN), "--data", temp.resolve("none").toString()),
        "--from",
        from,
        "-o",
        proof());
  }

  @Test
  void optionsThatDoNotFitAreRefused() {
    assertThat(usage("-o", "x")).contains("give either an id, or a checkpoint with --from");
    assertThat(usage("abc", "--from", "7", "-o", "x")).contains("give either an id");
    assertThat(usage("abc", "--to", "x", "-o", "x")).contains("are about checkpoints");
    assertThat(usage("--from", "nothing", "-o", "x", "--data", temp.toString()))
        .contains("cannot read the checkpoint nothing");
  }

  private static String usage(String... arguments) {
    CommandRun run = CommandRun.of(new ProveCommand(Map.of()), List.of(), arguments);
    assertThat(run.code()).isEqualTo(2);
    return run.err();
  }
}
