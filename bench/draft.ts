export const draft = {
  service_family: 'design',
  service_type: 'logo',
  customer_title: 'Logo for a neighbourhood bakery',
  customer_instructions: `Brand name: Rise Bakery. Target audience: families. ${'Warm and simple. '.repeat(15)}`,
};
