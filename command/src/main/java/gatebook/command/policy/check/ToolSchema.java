package gatebook.command.policy.check;

/**
 * The input schema of a source's tool.
 *
 * @param tool the tool's name at the source, without a prefix
 * @param inputSchema the text of a JSON Schema
 */
public record ToolSchema(String source, String tool, String inputSchema) {}
