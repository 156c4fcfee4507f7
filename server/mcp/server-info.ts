export const serverInfo = { name: 'atelier', title: 'Atelier', version: '1.0.0' };
