package gatebook.api.casefile;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.Optional;

/**
 * A checked event of a case file: it is in the log, and these are its bytes.
 *
 * @param name without its namespace
 * @param at RFC 3339, UTC
 * @param data without originals, with the content that its key opened; empty without the payload
 * @param content whether its content was opened; {@code plain} when it has none
 */
public record CheckedEvent(
    long position, String name, String at, String node, Optional<JsonNode> data, String content) {}
