package gatebook.command.policy;

/**
 * What a source says its tool takes.
 *
 * @param tool the name by which the source itself knows it
 * @param inputSchema the text of a JSON Schema
 */
public record ToolSchema(String source, String tool, String inputSchema) {}
