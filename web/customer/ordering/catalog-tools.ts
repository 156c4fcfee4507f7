import { operationQuery, queryClient } from '../../app/api.ts';
import { noInput, pageTool } from '../../app/page-tool.ts';

export const catalogTools = () => [
  pageTool(
    {
      name: 'get_catalog',
      title: 'Read the catalog',
      description:
        'What can be ordered here. To prepare an order of a service, open /jobs/new?family=<id of the family>&type=<id of the option>; more tools are there.',
      inputSchema: noInput,
    },
    () => queryClient.fetchQuery(operationQuery('readCatalog')),
  ),
];
