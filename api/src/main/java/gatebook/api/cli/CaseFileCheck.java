package gatebook.api.cli;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import gatebook.api.casefile.CaseCheck;
import gatebook.api.casefile.CaseVerdict;
import gatebook.api.casefile.CheckedEvent;
import gatebook.api.cli.option.JsonOption;
import gatebook.api.cli.text.Colours;
import gatebook.api.cli.text.EventLine;
import gatebook.api.cli.text.TextCells;
import gatebook.api.log.VisibleText;
import gatebook.api.operator.methods.DroppedPart;
import gatebook.api.timestamp.TrustedAuthorities;
import gatebook.events.journal.checkpoint.VerifierKey;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import picocli.CommandLine;
import picocli.CommandLine.ExitCode;

/** The check of a case file by the command {@code gatebook verify}, and what it prints. */
final class CaseFileCheck {
  /** The largest case file that is read, in bytes, unless the command says otherwise. */
  static final int BYTES_MAX = 64 << 20;

  /** The largest limit: a checker holds a file in memory. */
  static final int LIMIT_MAX = 1 << 30;

  private static final JsonMapper JSON = new JsonMapper();

  private final CommandLine command;
  private final JsonOption jsonOption;

  CaseFileCheck(CommandLine command, JsonOption jsonOption) {
    this.command = command;
    this.jsonOption = jsonOption;
  }

  /** Checks a file, prints the result and returns the exit code. */
  int run(Path file, VerifierKey key, Optional<TrustedAuthorities> authorities, long bytesMax) {
    byte[] bytes =
        GivenFile.read(command, "the case file", file, bytesMax, VerifyCommand.CASE_BYTES_MAX);
    return switch (CaseCheck.check(bytes, key, authorities)) {
      case CaseVerdict.Refused(var sentence) ->
          jsonOption.failed(command, "the case file is refused: " + VisibleText.of(sentence));
      case CaseVerdict.Accepted accepted -> {
        jsonOption.show(command, json(accepted), CaseFileCheck::lines);
        yield ExitCode.OK;
      }
    };
  }

  private static ObjectNode json(CaseVerdict.Accepted accepted) {
    ObjectNode document = JSON.createObjectNode();
    document.put("accepted", true);
    document.put("origin", accepted.origin());
    document.put("key", accepted.key());
    document.put("size", accepted.size());
    document.put("made", accepted.made());
    accepted.replaced().forEach(document.putArray("replaced")::add);
    accepted.subjects().forEach(document.putArray("subjects")::add);
    accepted.dropped().ifPresent(through -> document.put(DroppedPart.MEMBER, through));
    accepted
        .timestamp()
        .ifPresent(timestamp ->
            document
                .putObject("timestamp")
                .put("at", timestamp.at())
                .put("authority", timestamp.authority())
                .put("trusted", timestamp.isTrusted()));
    ArrayNode events = document.putArray("events");
    accepted.events().forEach(event -> events.add(json(event)));
    accepted.notShown().forEach(document.putArray("notShown")::add);
    return document;
  }

  private static ObjectNode json(CheckedEvent event) {
    ObjectNode json = JSON.createObjectNode();
    json.put("position", event.position());
    json.put("name", event.name());
    json.put("at", event.at());
    json.put("node", event.node());
    json.put("content", event.content());
    event.data().ifPresent(data -> json.set("data", data));
    return json;
  }

  private static List<String> lines(JsonNode document) {
    Colours colours = Colours.forStdout();
    List<String> lines = new ArrayList<>();
    lines.add(
        "accepted   as signed by %s over %s events, made at %s"
            .formatted(
                TextCells.of(document, "key"),
                TextCells.of(document, "size"),
                TextCells.of(document, "made")));
    document.path("replaced").forEach(it -> lines.add("key        " + TextCells.of(it)));
    document.path("subjects").forEach(it -> lines.add("about      " + TextCells.of(it)));
    JsonNode timestamp = document.path("timestamp");
    if (timestamp.isObject()) {
      lines.add(
          "timestamp  %s by %s, %s"
              .formatted(
                  TextCells.of(timestamp, "at"),
                  TextCells.of(timestamp, "authority"),
                  timestamp.path("trusted").asBoolean()
                      ? "as --timestamp-ca vouches"
                      : "whose certificate was not checked: give --timestamp-ca"));
    }
    for (JsonNode event : document.path("events")) {
      lines.add(EventLine.of(event, colours));
      JsonNode told = event.path("data").path("told");
      if (told.isObject()) {
        lines.add("           told: " + TextCells.of(told));
      }
    }
    document.path("notShown").forEach(it -> lines.add("not shown  " + TextCells.of(it)));
    if (document.path(DroppedPart.MEMBER).isTextual()) {
      lines.add(DroppedPart.sentence(TextCells.of(document, DroppedPart.MEMBER)));
    }
    lines.add("It does not prove that there are no other events.");
    return lines;
  }
}
