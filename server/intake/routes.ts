import * as fields from '../../contract/ordering/intake-fields.ts';
import * as intake from '../../contract/ordering/intake.ts';
import { route } from '../http/handle.ts';
import { addMessage } from './add-message.ts';
import { answerIntake } from './answer-intake.ts';
import { closeIntake } from './close-intake.ts';
import { confirmBrief } from './confirm-brief.ts';
import { listIntake } from './list-intake.ts';
import { openIntake } from './open-intake.ts';
import { readIntake } from './read-intake.ts';
import { updateIntake } from './update-intake.ts';

export const intakeRoutes = [
  route(openIntake, intake.openIntake),
  route(listIntake, intake.listIntake),
  route(readIntake, intake.readIntake),
  route(addMessage, intake.addMessage),
  route(answerIntake, fields.answerIntake),
  route(updateIntake, fields.updateIntake),
  route(closeIntake, intake.closeIntake),
  route(confirmBrief, intake.confirmBrief),
];
